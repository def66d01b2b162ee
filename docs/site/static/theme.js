// Light and dark pages where Furo's own script does not run: Debian ships it as a module, which
// pages cannot load from files.
window.addEventListener("load", () => {
  const page = document.documentElement;
  if (!page.classList.contains("no-js")) return;
  page.classList.remove("no-js");

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const show = (theme) => { document.body.dataset.theme = theme; };
  const chosen = localStorage.getItem("theme");
  show(chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light");
  for (const button of document.getElementsByClassName("theme-toggle")) {
    button.addEventListener("click", () => {
      show(document.body.dataset.theme === "dark" ? "light" : "dark");
      localStorage.setItem("theme", document.body.dataset.theme);
    });
  }
});
