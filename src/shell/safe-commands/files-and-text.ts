import type { CommandFamily } from '../command-spec.js'
import { judgeAwk } from '../grammars/judge-awk.js'
import { judgeSed } from '../grammars/judge-sed.js'

// Those of the binutils read `@file` as a file of options, in any position.
const readsOptionFiles = true

/** Commands that print files or text made from them, and have options that do more. */
export const filesAndText: CommandFamily = {
  bc: { options: '-l -q -s -w --mathlib --quiet --standard --warn', operands: 0 },

  sort: {
    // Not -o and --output, which write, --compress-program, which runs, and -T, which says where to write.
    options: `-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z -k= -t= -S= --ignore-leading-blanks
      --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort
      --numeric-sort --random-sort --random-source= --reverse --sort= --version-sort --batch-size= --check? --debug
      --files0-from= --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique
      --zero-terminated`,
  },
  uniq: {
    // A second operand is written to.
    operands: 1,
    optionsFirst: true,
    options: `-# -c -d -D -f= -i -s= -u -z -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case
      --skip-chars= --unique --zero-terminated --check-chars=`,
  },
  shuf: {
    options:
      '-e -i= -n= -r -z --echo --input-range= --head-count= --random-source= --repeat --zero-terminated',
  },
  tree: {
    // Not -o, which writes, and -R, which starts tree again with it. Letters that take a value leave the letters after
    // them in force: `-Po x made` writes.
    values: { '-L': (value) => /^[0-9]+$/.test(value) },
    options: `-a -d -l -f -x -L= -P: -I: --gitignore --ignore-case --matchdirs --metafirst --info --noreport
      --charset= --filelimit= -q -N -Q -p -u -g -s -h --si --du -D --timefmt= -F --inodes --device -v -t -c -U -r
      --dirsfirst --filesfirst --sort= -i -A -S -n -C -X -J --prune`,
  },
  file: {
    // Not -C, which writes a compiled magic file, -z, which starts a program to uncompress, and -p, which sets times.
    options: `-b -i -I -L -h -k -l -N -n -r -s -v -0 -e= -F= -f= -m= -P= --brief --mime --mime-type --mime-encoding
      --extension --dereference --no-dereference --keep-going --separator= --files-from= --exclude= --raw --print0
      --no-pad --no-buffer --list`,
  },
  xxd: {
    // A second operand is written to, and -r makes a binary of it.
    operands: 1,
    optionsFirst: true,
    style: 'words',
    options: `-h -a -autoskip -b -bits -c= -cols= -C -capitalize -d -E -EBCDIC -e -g= -groupsize= -i -include -l= -len= -n=
        -name= -o= -p -ps -plain -postscript -R= -s= -seek= -u -upper -v -version
      -g0 -g1 -g2 -g4 -g8 -c4 -c8 -c16 -c32 -c64 -l16 -l32 -l64 -l128 -l256 -l512`,
  },
  base64: {
    options: '-d -D -w= -i -b= --decode --wrap= --ignore-garbage --break=',
    operands: 1,
  },
  'base32 basenc': {
    options: '-d -w= -i --decode --wrap= --ignore-garbage --base64 --base64url --base32 --base16',
  },
  iconv: {
    options: '-f= -t= -c -l -s --from-code= --to-code= --list --silent --verbose',
  },
  'awk gawk mawk nawk': { judge: judgeAwk },
  'sed gsed': { judge: judgeSed },

  yq: {
    // Not -i, which edits in place, and -s, which splits into files.
    options: `-h -o= -p= -P -r -C -M -e -N -n -j -I= -c -y -Y -S -a -0 --output-format= --input-format= --prettyPrint
      --unwrapScalar? --colors --no-colors --exit-status --no-doc --null-input --indent= --raw-output --tojson -v
      --verbose -V --front-matter= --header-preprocess? --expression= --string-interpolation?`,
  },
  'bat batcat': {
    // Not -L, --list-languages and --list-themes, which start a pager also without a terminal.
    options: `-A -p -l= -H= -n -d -h -u -f -r= -s --show-all --plain? --language= --highlight-line= --number --diff
      --tabs= --wrap= --terminal-width= --color= --decorations= --style= --theme= --line-range= --squeeze-blank
      --paging= -P --file-name= --unbuffered`,
    values: { '--paging': (value) => value === 'never' },
    // `bat cache` builds one.
    operand: (value) => value !== 'cache',
  },
  strings: {
    readsOptionFiles,
    options: `-# -a -d -f -h -n= -t= -w -o -T= -e= -s= -U= -v --all --data --print-file-name --bytes= --radix=
      --include-all-whitespace --target= --encoding= --output-separator= --unicode= --help --version`,
  },
  nm: {
    readsOptionFiles,
    options: `-h -V -a -A -B -C -D -g -n -p -P -r -S -t= -u -U -o --demangle? --dynamic --extern-only --defined-only
        --undefined-only --size-sort --numeric-sort --print-size -m -j`,
  },
  size: { readsOptionFiles, options: '-h -V -A -B -d -o -x -t -m -l --format= --radix= --totals' },
  readelf: {
    readsOptionFiles,
    options: `-H -a -h -l -S -g -t -e -s -n -r -u -d -V -A -c -D -I -W -T -x= -p= -R= -C --all --file-header --headers
      --program-headers --segments --section-headers --sections --symbols --syms --dyn-syms --notes --relocs
      --dynamic --version-info --wide --hex-dump= --string-dump=`,
  },
  objdump: {
    readsOptionFiles,
    options: `-H -a -f -p -h -x -d -D -s -t -T -r -R -j= -C -w -z -M= -m= -b= --archive-headers --file-headers
      --private-headers --section-headers --headers --all-headers --disassemble? --disassemble-all --full-contents
      --syms --dynamic-syms --reloc --dynamic-reloc --section= --demangle? --wide --no-show-raw-insn
      --start-address= --stop-address=`,
  },
  getfacl: {
    options: `-a -d -c -e -E -s -R -L -P -t -p -n --access --default --omit-header --recursive --absolute-names --numeric
        --tabular`,
  },
  lsattr: { options: '-R -a -d -l -p -v -V' },
  getcap: { options: '-v -n -r -h' },
}
