import type { CommandFamily, CommandSpec } from '../command-spec.js'

const HELP = '--help --version'
const LINUX_HELP = '-h --help -V --version'

/** None of its options writes, runs a program or uses the network, in GNU, BSD or BusyBox: unknown words may be added. */
const reads = (options: string): CommandSpec => ({ takesUnknown: true, options })

/** Commands that list files and print facts about them. */
export const files: CommandFamily = {
  'ls dir vdir':
    reads(`-a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -O -p -P -q -Q -r -R -s
    -S -t -T -u -U -v -w -W -x -X -y -Z -0 -1 -@ -% -, --all --almost-all --author --escape --block-size=
    --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time
    --group-directories-first --no-group --human-readable --si --dereference-command-line
    --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes
    --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name
    --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero
    ${HELP}`),
  stat: reads(`-c= -f -F -H -l -L -n -q -r -s -t -x -Z --dereference --file-system --cached= --format= --printf=
    --terse ${HELP}`),
  readlink: reads(`-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing
    --no-newline --quiet --silent --verbose --zero ${HELP}`),
  realpath:
    reads(`-e -E -m -L -P -q -s -z --canonicalize --canonicalize-existing --canonicalize-missing --logical
    --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero ${HELP}`),
  basename: reads(`-a -s= -z --multiple --suffix= --zero ${HELP}`),
  dirname: reads(`-z --zero ${HELP}`),
  du: reads(`-# -0 -a -A -B= -b -c -D -d= -g -h -H -I= -k -l -L -m -n -P -r -s -S -t= -x -X= --null --all --apparent-size
    --block-size= --bytes --total --dereference-args --max-depth= --files0-from= --human-readable --inodes
    --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style=
    --exclude-from= --exclude= --one-file-system --libxo? ${HELP}`),
  df: reads(`-a -b -B= -c -g -h -H -i -I -k -l -m -n -P -t= -T -v -x= -Y -, --all --block-size= --human-readable --si
    --inodes --local --no-sync --output? --portability --sync --total --type= --print-type --exclude-type= --libxo?
    ${HELP}`),
  pathchk: reads(`-p -P --portability ${HELP}`),
  namei: reads(`-x -m -o -l -n -v -Z --mountpoints --modes --owners --long --nosymlinks --vertical --context
    ${LINUX_HELP}`),

  'locate plocate mlocate':
    reads(`-0 -A -b -c -d= -e -E -H -i -l= -L -m -N -n= -P -q -r -s -S -w -p --all --basename
    --count --database= --existing --follow --nofollow --ignore-case --ignore-spaces --limit= --literal --mmap --null
    --quiet --regexp? --regex --statistics --stdio --transliterate --wholename --print --non-existing
    --max-database-age= ${LINUX_HELP}`),
  which: reads(`-a -s -v -V --all --skip-dot --skip-tilde --show-dot --show-tilde --tty-only --read-alias -i
    --skip-alias --read-functions --skip-functions ${HELP}`),
  whereis: reads(`-a -b -B= -f -g -l -m -M= -q -s -S= -u -x ${LINUX_HELP}`),
}
