import type { CommandFamily, CommandSpec } from '../command-spec.js'
import { judge7z, judgeTar, judgeUnzip } from '../grammars/judge-archives.js'

const GZIP = `-c -d -k -l -q -t -v -n -N -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --uncompress
  --keep --list --quiet --test --verbose --no-name --name --fast --best -h -V -L --help --version --license`
// Without one of these, the file is replaced.
const squeezes: CommandSpec = {
  needs: '-c -l -t --stdout --to-stdout --list --test -h -V -L --help --version --license',
  options: GZIP,
}

/** Archives, where they are listed, tested or unpacked to standard output. */
export const archives: CommandFamily = {
  tar: { judge: judgeTar },
  unzip: { judge: judgeUnzip },
  zipinfo: { options: '-1 -2 -s -m -l -v -h -M -t -T -z -C' },
  '7z 7zz 7za 7zr': { judge: judge7z },
  'gzip gunzip': squeezes,
  'bzip2 bunzip2': {
    needs: '-c -t --stdout --test',
    options: `-c -d -t -k -q -v -s -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --test --keep --quiet --verbose --small`,
  },
  'xz unxz': {
    needs: '-c -l -t --stdout --to-stdout --list --test',
    options: `-c -d -l -t -k -q -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -e -T= --stdout --to-stdout --decompress
      --uncompress --list --test --keep --quiet --verbose --robot`,
  },
  'zstd unzstd': {
    needs: '-c -l -t --stdout --list --test',
    options: '-c -d -l -t -k -q -v --stdout --decompress --uncompress --list --test --keep --quiet --verbose',
  },
  'zcat gzcat bzcat xzcat zstdcat lzcat': { options: '-f -q -v --force --quiet --verbose' },
  'zgrep zegrep zfgrep bzgrep xzgrep': {
    options: `-E -F -G -P -i -v -w -x -c -l -L -n -H -h -o -q -s -m= -A= -B= -C= -e= --color? --ignore-case --line-number
        --count`,
  },
  'zdiff zcmp': { operands: 2, options: '-u -c -b -w -i -q' },
}
