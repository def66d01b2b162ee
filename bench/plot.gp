# Called by report.py, which sets data, picture, title and counts (of threads, one data set each:
# n, seconds, FFTW's, PE-cycles/s).
set terminal pngcairo size 1500,640 font 'DejaVu Sans,13' linewidth 1.5 background '#ffffff'
set output picture
set multiplot layout 1,2 margins 0.065,0.985,0.115,0.82 spacing 0.085,0
set label 1 title at screen 0.012,0.95 left font 'DejaVu Sans,17' textcolor rgb '#222222'

set border 1 lc rgb '#888888'
set tics nomirror scale 0.5,0 textcolor rgb '#444444'
set ytics scale 0
set grid ytics lt 1 lc rgb '#e2e2e2' lw 0.8
set key top left Left reverse samplen 1.8 spacing 1.3 textcolor rgb '#222222'
stats data using 1 nooutput
set xrange [STATS_min / 1.2 : STATS_max * 1.2]
set logscale x 2
set xlabel 'n' textcolor rgb '#444444'
array color[4] = ['#1f6fb4', '#d1602b', '#2c8f57', '#7a4fa3']

set title '{/:Bold Wall time} of one transform in single precision' \
  offset 0,0.3 textcolor rgb '#222222'
set logscale y
set ytics ('1 µs' 1e-6, '10 µs' 1e-5, '100 µs' 1e-4, '1 ms' 1e-3, '10 ms' 1e-2, '100 ms' 0.1, \
  '1 s' 1, '10 s' 10, '100 s' 100, '1000 s' 1000)
last = words(counts)  # its transforms are all that are measured
label(i) = word(counts, i).(word(counts, i) eq '1' ? ' thread' : ' threads')
plot for [i = 1:last] data index i - 1 using 1:2:xtic(1) with linespoints pt 7 ps 1.4 lw 2.2 \
       lc rgb color[(i - 1) % 4 + 1] title 'emulated by Weft, '.label(i), \
     data index last - 1 using 1:(10 * $3) with lines dt (8,6) lw 1.4 lc rgb '#999999' \
       title 'ten times FFTW', \
     data index last - 1 using 1:3 with linespoints pt 7 ps 1.4 lw 2.2 lc rgb '#444444' \
       title 'FFTW, 1 thread'

unset label 1
set title '{/:Bold Speed} of the emulation, in million PE-cycles a second'
unset logscale y
set ytics auto
set yrange [0:*]
set offsets 0,0,graph 0.2,0  # room for the key
plot for [i = 1:last] data index i - 1 using 1:($4 / 1e6):xtic(1) with linespoints \
  pt 7 ps 1.4 lw 2.2 lc rgb color[(i - 1) % 4 + 1] title label(i)
