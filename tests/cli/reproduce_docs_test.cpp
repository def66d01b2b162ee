// Tables of docs/papers.md, from runs on a few PEs. With WEFT_UPDATE_DOCS=1 they are rewritten:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-cli --gtest_filter='ReproduceDocs.*'
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/small_table.hpp"
#include "paths.hpp"
#include "support/effort.hpp"
#include "support/generated_text.hpp"

namespace weft::test::reproduce_docs_test {
namespace {

using namespace weft::evaluation;

const std::filesystem::path kPage = std::filesystem::path(WEFT_SOURCE_DIR) / "docs/papers.md";

/// Some columns of rows that are kept.
std::string markdown_of(const Table& table, const std::vector<std::string>& columns,
                        const std::function<bool(const Row&)>& keeps) {
  std::string text = "|", line = "\n|";
  std::vector<std::size_t> at;
  for (const std::string& column : columns) {
    at.push_back(
        static_cast<std::size_t>(std::ranges::find(table.columns, column) - table.columns.begin()));
    text += " " + column + " |";
    line += " ---: |";
  }
  text += line + "\n";
  for (const Row& row : table.rows) {
    if (!keeps(row)) continue;
    text += "|";
    for (const std::size_t k : at) text += " " + row[k].text + " |";
    text += "\n";
  }
  return text;
}

bool all(const Row&) { return true; }

/// Rolls on the rings of p^3 nodes, small blocks.
std::string rolls(int p, int pes) {
  return markdown_of(small_table("s3dft", "figure-5", pes),
                     {"precision", "p", "b", "predicted roll", "roll", "off", "product",
                      "rest of a step", "hidden"},
                     [&](const Row& row) { return row[1].value == p && row[3].value <= 6; });
}

TEST(ReproduceDocs, TablesOfS3dft) {
  expect_generated(kPage, "roll and product", rolls(16, 64));
  if (effort() == Effort::all) expect_generated(kPage, "long roll", rolls(64, 512));
  expect_generated(kPage, "messages",
                   markdown_of(small_table("s3dft", "messages", 16 * 16),
                               {"form", "p", "rolls", "of the matrix", "alignments", "predicted",
                                "wavelets", "off", "events of a stage", "the authors' events"},
                               all));
  expect_generated(kPage, "cubes",
                   markdown_of(small_table("s3dft", "cubes", 32 * 16),
                               {"precision", "p", "mesh", "n", "b", "predicted", "cycles", "off",
                                "held's mesh", "held", "cubes over held"},
                               all));
}

TEST(ReproduceDocs, TablesOfApe) {
  expect_generated(kPage, "shifts",
                   markdown_of(small_table("ape", "equations", 256),
                               {"network", "p", "shifts of a cell, one way", "both ways",
                                "predicted", "wavelets", "off", "hops of a wavelet"},
                               all));
  expect_generated(kPage, "matrices",
                   markdown_of(small_table("ape", "figure-7", 32),
                               {"network", "n", "longest stream", "predicted", "cycles", "off",
                                "cycles over n^2", "over that of the largest"},
                               all));
  expect_generated(kPage, "four axes",
                   markdown_of(small_table("ape", "four-axes", 16 * 16),
                               {"precision", "transposes", "n", "predicted", "cycles", "off",
                                "predicted in exchanges", "in exchanges", "exchanges off"},
                               all));
}

}  // namespace
}  // namespace weft::test::reproduce_docs_test
