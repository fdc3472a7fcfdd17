import type { CommandFamily, CommandSpec } from '../command-spec.js'

const HELP = '--help --version'
const LINUX_HELP = '-h --help -V --version'
const SUMS = `-b -c -t -w -z --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn
  ${HELP}`

/** None of its options writes, runs a program or uses the network, in GNU, BSD or BusyBox: unknown words may be added. */
const reads = (options: string): CommandSpec => ({ takesUnknown: true, options })

/** Commands that print text, or results computed from it. */
export const text: CommandFamily = {
  cat: reads(`-A -b -e -E -l -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank
    --show-tabs --show-nonprinting ${HELP}`),
  tac: reads(`-b -r -s= --before --regex --separator= ${HELP}`),
  head: reads(`-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated ${HELP}`),
  tail: reads(`-# -b= -c= -f -F -n= -q -r -s= -v -z --bytes= --follow? --lines= --max-unchanged-stats= --pid= --quiet
    --silent --retry --sleep-interval= --verbose --zero-terminated ${HELP}`),
  wc: reads(
    `-c -m -l -L -w --bytes --chars --lines --files0-from= --max-line-length --words --total= --libxo? ${HELP}`,
  ),
  nl: reads(`-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering=
    --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator=
    --starting-line-number= --number-width= ${HELP}`),
  cut: reads(`-b= -c= -d= -f= -F= -O= -n -s -w -z --bytes= --characters= --delimiter= --fields= --complement
    --only-delimited --output-delimiter= --zero-terminated ${HELP}`),
  paste: reads(`-d= -s -z --delimiters= --serial --zero-terminated ${HELP}`),
  join: reads(`-a= -e= -i -j= -o= -t= -v= -1= -2= -z --ignore-case --check-order --nocheck-order --header
    --zero-terminated ${HELP}`),
  comm: reads(
    `-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP}`,
  ),
  fold: reads(`-# -b -c -s -w= --bytes --characters --spaces --width= ${HELP}`),
  expand: reads(`-# -i -t= --initial --tabs= ${HELP}`),
  unexpand: reads(`-a -t= --all --first-only --tabs= ${HELP}`),
  rev: reads(`-0 --zero ${LINUX_HELP}`),
  tr: reads(`-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1 ${HELP}`),
  od: reads(`-A= -j= -N= -S= -t= -v -w? -a -b -c -d -f -i -l -o -s -x -B -D -e -F -h -H -I -L -O -X --address-radix=
    --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional ${HELP}`),
  'hexdump hd':
    reads(`-b -c -C -d -o -x -X -L? -e= -f= -n= -s= -v --one-byte-octal --one-byte-hex --one-byte-char
    --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --color? --format= --format-file= --length=
    --skip= --no-squeezing ${LINUX_HELP}`),
  column:
    reads(`-c= -C= -d -e -E= -H= -i= -J -K -l= -L -m -n= -N= -o= -O= -p= -r= -R= -s= -S= -t -T= -W= -x --table
    --table-name= --table-order= --table-columns= --table-column= --table-columns-limit= --table-noextreme=
    --table-noheadings --table-header-repeat --table-header-as-columns --table-hide= --table-right= --table-truncate=
    --table-wrap= --table-maxout --table-empty-lines --keep-empty-lines --json --tree= --tree-id= --tree-parent=
    --output-width= --output-separator= --separator= --fillrows --use-spaces= ${LINUX_HELP}`),
  colrm: reads(LINUX_HELP),
  fmt: reads(`-# -c -p= -s -t -u -w= -g= -m -n -d= -l= --crown-margin --prefix= --split-only --tagged-paragraph
    --uniform-spacing --width= --goal= ${HELP}`),
  pr: reads(`-# -a -c -d -D= -e? -F -f -h= -i? -J -l= -L= -m -n? -N= -o= -p -r -s? -S? -t -T -v -w= -W= --pages=
    --columns= --across --show-control-chars --double-space --date-format= --expand-tabs? --form-feed --header=
    --output-tabs? --join-lines --length= --merge --number-lines? --first-line-number= --indent= --no-file-warnings
    --separator? --sep-string? --omit-header --omit-pagination --show-nonprinting --width= --page-width= ${HELP}`),
  look: reads(`-a -d -f -t= --alternative --alphanum --ignore-case --terminate= ${LINUX_HELP}`),
  cmp: reads(
    `-b -h -i= -l -n= -s -v -x -z --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent ${HELP}`,
  ),
  // Not -l and --paginate, which start `pr`.
  diff: reads(`-# -a -b -B -c -C= -d -D= -e -E -f -F= -H -i -I= -L= -n -N -p -q -r -s -S= -t -T -u -U= -v -w -W= -x= -X=
    -y -Z --normal --brief --report-identical-files --context? --unified? --ed --forward-ed --rcs --side-by-side
    --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs
    --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file
    --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=
    --starting-file= --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space
    --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text
    --strip-trailing-cr --ifdef= --line-format= --old-line-format= --new-line-format= --unchanged-line-format=
    --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format= --minimal
    --horizon-lines= --speed-large-files --color? --palette= ${HELP}`),
  // Its programs have no function that writes or runs, and its modules are such programs.
  jq: reads(`-a -c -C -e -f= -g -h -j -L= -M -n -r -R -s -S -V --arg= --argjson= --args --ascii-output --ascii
    --binary -b --build-configuration --color-output --compact-output --exit-status --from-file= --indent= --join-output
    --jsonargs --library-path= --monochrome-output --null-input --raw-input --raw-output --raw-output0 --rawfile=
    --argfile= --seq --slurp --slurpfile= --sort-keys --stream --stream-errors --strip-comments --tab --unbuffered
    ${HELP}`),

  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum': reads(SUMS),
  b2sum: reads(`-l= --length= ${SUMS}`),
  cksum: reads(`-a= -l= -o= --algorithm= --length= --untagged --raw --base64 --debug ${SUMS}`),
  sum: reads(`-r -s --sysv ${HELP}`),
  shasum:
    reads(`-a= -b -c -h -p -q -s -t -U -v -w -0 --algorithm= --binary --check --tag --text --UNIVERSAL --01
    --ignore-missing --quiet --status --strict --warn ${HELP}`),

  'grep egrep fgrep':
    reads(`-# -a -A= -b -B= -c -C= -d= -D= -e= -E -f= -F -G -h -H -i -I -l -L -m= -n -o -O -p -P -q -r
    -R -s -S -T -u -U -v -V -w -x -y -z -Z --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=
    --file= --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match
    --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching
    --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include=
    --exclude= --exclude-from= --exclude-dir= --include-dir= --files-without-match --files-with-matches --count
    --initial-tab --null --before-context= --after-context= --context? --group-separator= --no-group-separator
    --color? --colour? --binary --mmap --null-data ${HELP}`),

  // All their arguments are text, or a number, which may be negative.
  'echo expr yes seq': { isFree: true },
  factor: reads(`-h --exponents ${HELP}`),
  numfmt:
    reads(`-d= -z -M --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --invalid=
    --padding= --round= --suffix= --to= --to-unit= --unit-separator= --zero-terminated ${HELP}`),
  tsort: reads(`-d -l -q -w ${HELP}`),
  'cal ncal':
    reads(`-1 -3 -A= -b -B= -c= -C -d= -e -h -H= -j -J -m -M -n= -N -o -p -s -S -v -V -w -W= -y -Y --one
    --three --months= --span --sunday --monday --iso --julian --reform= --year --twelve --week? --vertical --color?
    --columns? ${HELP}`),
}
