import { valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { matchesOf } from '../matches-of.js'
import { applyUsage } from './apply-usage.js'
import { each, options, type EffectTable, type Usage } from './usage.js'

const reads: Usage = { rest: 'read' }

const grep: Usage = {
  first: ['text'],
  rest: 'read',
  takes: {
    ...options(
      '-A -B -C -m -d -D --include --exclude --exclude-dir --label --binary-files --max-count',
      'text',
    ),
    ...options('--after-context --before-context --context --group-separator', 'text'),
    '-e': 'text',
    '--regexp': 'text',
    '-f': 'read',
    '--file': 'read',
    '--exclude-from': 'read',
  },
  when: {
    '-e': { first: [] },
    '--regexp': { first: [] },
    '-f': { first: [] },
    '--file': { first: [] },
    '-r': { here: 'read' },
    '-R': { here: 'read' },
    '--recursive': { here: 'read' },
    '--dereference-recursive': { here: 'read' },
  },
}

const ripgrep: Usage = {
  first: ['text'],
  rest: 'read',
  here: 'read',
  takes: {
    ...options(
      '-A -B -C -m -g -t -T -j -r -M -d -E --glob --iglob --type --type-not --type-add --max-depth',
      'text',
    ),
    ...options(
      '--sort --sortr --color --colors --engine --max-columns --max-count --max-filesize --replace',
      'text',
    ),
    ...options(
      '--after-context --before-context --context --encoding --threads --field-match-separator',
      'text',
    ),
    '-e': 'text',
    '--regexp': 'text',
    '-f': 'read',
    '--file': 'read',
    '--ignore-file': 'read',
    '--pre': 'script',
    '--pre-glob': 'text',
    '--hostname-bin': 'script',
  },
  when: {
    '-e': { first: [] },
    '--regexp': { first: [] },
    '-f': { first: [] },
    '--file': { first: [] },
    '--files': { first: [] },
    '--type-list': { first: [] },
  },
}

/** Commands that read files and print. */
export const reading: EffectTable = {
  ...each(
    'cat tac less more most zcat zless zmore bzcat bzless xzcat xzless lzcat zstdcat rev tsort sum nm readelf size ' +
      'readlink realpath lsattr namei unexpand bat batcat pygmentize highlight ccat glow mdcat zdiff zcmp bzdiff ' +
      'cloc tokei scc exiftool mediainfo identify hexyl ldd otool getcap mdls',
    reads,
  ),
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum md5 shasum xxhsum crc32', {
    rest: 'read',
    takes: { '-a': 'text', '-s': 'text' },
  }),
  ...each('head tail', {
    rest: 'read',
    takes: options('-n -c -s --lines --bytes --pid --sleep-interval --max-unchanged-stats', 'text'),
  }),
  ...each('cut paste join fold fmt expand comm column pr nl look', {
    rest: 'read',
    takes: options(
      '-d -f -c -b -w -t -s -1 -2 -j -e -a -v -i -l -h -o -N -O -T -R -H --delimiter --fields',
      'text',
    ),
  }),
  ...each('wc', { rest: 'read', takes: { '--files0-from': 'read', '--total': 'text' } }),
  ...each('od hexdump strings', {
    rest: 'read',
    takes: { ...options('-A -j -N -t -w -n -s -e --strings --format', 'text'), '-f': 'read' },
  }),
  sort: {
    rest: 'read',
    takes: {
      ...options('-k -t -S --key --field-separator --buffer-size --parallel --batch-size --sort', 'text'),
      '-o': 'replace',
      '--output': 'replace',
      '-T': 'write',
      '--temporary-directory': 'write',
      '--files0-from': 'read',
      '--random-source': 'read',
      '--compress-program': 'script',
    },
  },
  uniq: {
    first: ['read', 'replace'],
    takes: options('-f -s -w --skip-fields --skip-chars --check-chars --group --all-repeated', 'text'),
  },
  shuf: {
    rest: 'read',
    takes: { '-n': 'text', '-i': 'text', '-o': 'replace', '--output': 'replace', '--random-source': 'read' },
    when: { '-e': { rest: 'text' }, '--echo': { rest: 'text' } },
  },
  xxd: { first: ['read', 'replace'], takes: options('-l -s -c -g -o -n', 'text') },
  ...each('base64 base32 basenc', {
    rest: 'read',
    takes: {
      '-w': 'text',
      '-b': 'text',
      '-i': 'read',
      '-o': 'replace',
      '--output': 'replace',
      '--input': 'read',
    },
  }),
  iconv: { rest: 'read', takes: { '-f': 'text', '-t': 'text', '-o': 'replace', '--output': 'replace' } },
  ...each('diff sdiff colordiff diff3 cmp vimdiff delta difft icdiff', {
    rest: 'read',
    takes: {
      ...options(
        '-x -I -L -U -C -F -W -n -i --label --exclude --width --unified --context --color --palette',
        'text',
      ),
      '-X': 'read',
      '-o': 'replace',
      '--output': 'replace',
    },
  }),
  file: { rest: 'read', takes: { '-f': 'read', '-m': 'read', '-F': 'text', '-e': 'text', '-P': 'text' } },
  stat: { rest: 'read', takes: { '-c': 'text', '--format': 'text', '--printf': 'text', '-t': 'text' } },
  ...each('ls dir vdir exa eza lsd ll', {
    rest: 'read',
    here: 'read',
    takes: options(
      '-I -w -T -L --hide --ignore --block-size --color --sort --time --time-style --format',
      'text',
    ),
  }),
  tree: {
    rest: 'read',
    here: 'read',
    takes: { ...options('-L -P -I -H -T', 'text'), '-o': 'replace', '--output': 'replace' },
  },
  ...each('du dust ncdu', {
    rest: 'read',
    here: 'read',
    takes: { ...options('-d -t -B --max-depth --exclude --threshold --block-size', 'text'), '-X': 'read' },
  }),
  df: { rest: 'read', takes: options('-t -x -B --output --type', 'text') },
  ...each('grep egrep fgrep zgrep bzgrep xzgrep zegrep pcregrep ugrep', grep),
  ...each('rg ag ack', ripgrep),
  jq: {
    first: ['text'],
    rest: 'read',
    takes: {
      '-f': 'read',
      '--from-file': 'read',
      '-L': 'read',
      '--indent': 'text',
      '--arg': ['text', 'text'],
      '--argjson': ['text', 'text'],
      '--slurpfile': ['text', 'read'],
      '--rawfile': ['text', 'read'],
    },
    when: { '-f': { first: [] }, '--from-file': { first: [] } },
  },
  ...each('yq dasel', {
    first: ['text'],
    rest: 'read',
    takes: {
      ...options('-o -p -I -P --output-format --input-format --indent', 'text'),
      '--from-file': 'read',
    },
    when: { '-i': { rest: 'edit' }, '--inplace': { rest: 'edit' }, '--in-place': { rest: 'edit' } },
  }),
  xmllint: {
    rest: 'read',
    takes: {
      '--xpath': 'text',
      '--output': 'replace',
      '--schema': 'read',
      '--encode': 'text',
      '--path': 'read',
    },
  },
  csvtool: reads,
  hexedit: { rest: 'edit' },
  objdump: { rest: 'read', takes: options('-j -M -m -b --section', 'text') },
  openssl: {
    first: ['text'],
    rest: 'maybe',
    isSingleDash: true,
    takes: {
      ...options('-in -key -inkey -cert -certfile -CAfile -CApath -config -signature -verify -rand', 'read'),
      ...options('-out -keyout -sigfile -writerand', 'replace'),
      ...options('-connect -host -proxy', 'host'),
      ...options(
        '-subj -passin -passout -pass -k -days -newkey -name -servername -inform -outform -md',
        'text',
      ),
    },
    when: { '-connect': { isOpenWorld: true }, '-url': { isOpenWorld: true } },
  },
  ...each('numfmt', { rest: 'text' }),
  ...each('watchexec entr', { rest: 'read', isPartial: true }),
  pdftotext: { first: ['read', 'replace'] },
  ...each('tailf multitail', reads),
  ...each('fzf sk peco', fzf),
}

const fzfUsage: Usage = { rest: 'text', takes: { '--preview': 'command', '--history': 'edit' } }

const FZF_COMMAND = /(?:execute(?:-silent)?|become|reload|transform)[(:[]([^)\]]*)/g

/** `--bind 'enter:execute(rm {})'`: keys run commands. */
function fzf(call: Call, trace: Trace): void {
  applyUsage(fzfUsage, call, trace)
  for (const value of call.args.slice(call.from + 1).map(valueOf)) {
    if (value.startsWith('--listen')) trace.strict('Others may tell it to run commands.')
    if (!value.includes('(') && !value.includes(':')) continue
    for (const [, command] of matchesOf(FZF_COMMAND, value)) {
      trace.incomplete('Some of its words are known only when it runs.')
      trace.engine.runText(command!, call.index, trace)
    }
  }
}
