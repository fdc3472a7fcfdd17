import type { CommandFamily, CommandSpec, Given } from '../command-spec.js'
import { judge7z, judgeTar, judgeUnzip } from '../grammars/judge-archives.js'

const GZIP = `-c -d -k -l -q -t -v -n -N -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --uncompress
  --keep --list --quiet --test --verbose --no-name --name --fast --best -h -V -L --help --version --license`

/** A compressor replaces files, unless it prints, or lists or tests and no later option makes it unpack instead. */
function squeezes(options: string, { help = '-h --help' } = {}): CommandSpec {
  const has = (given: Given, names: string) => names.split(' ').some((name) => given.options.has(name))
  return {
    options: `${options} ${help}`,
    needs: `-c -l -t --stdout --to-stdout --list --test ${help}`,
    check: (given) =>
      has(given, `-c --stdout --to-stdout ${help}`) ||
      (has(given, '-l -t --list --test') && !has(given, '-d --decompress --uncompress')),
  }
}

/** Archives, where they are listed, tested or unpacked to standard output. */
export const archives: CommandFamily = {
  tar: { judge: judgeTar },
  unzip: { judge: judgeUnzip },
  zipinfo: { options: '-1 -2 -s -m -l -v -h -M -t -T -z -C' },
  '7z 7zz 7za 7zr': { judge: judge7z },
  'gzip gunzip': squeezes(GZIP, { help: '-h --help -V -L --version --license' }),
  // Its -V and -L print the version and then continue.
  'bzip2 bunzip2':
    squeezes(`-c -d -t -k -q -v -s -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --test --keep --quiet
    --verbose --small --fast --best`),
  'xz unxz': squeezes(
    `-c -d -l -t -k -q -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -e -T= --stdout --to-stdout --decompress --uncompress --list
      --test --keep --quiet --verbose --robot --extreme --threads=`,
    { help: '-h --help -H --long-help -V --version' },
  ),
  'zstd unzstd': squeezes(
    `-c -d -l -t -k -q -v -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --uncompress --list --test --keep --quiet
      --verbose --no-progress`,
    { help: '-h --help -H -V --version' },
  ),
  'zcat gzcat bzcat xzcat zstdcat lzcat': { options: '-f -q -v --force --quiet --verbose' },
  'zgrep zegrep zfgrep bzgrep xzgrep': {
    options: `-E -F -G -P -i -v -w -x -c -l -L -n -H -h -o -q -s -m= -A= -B= -C= -e= --color? --ignore-case --line-number
        --count`,
  },
  'zdiff zcmp': { operands: 2, options: '-u -c -b -w -i -q' },
}
