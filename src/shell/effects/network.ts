import { pathOf, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import type { Trace } from '../detection/trace.js'
import { applyUsage } from './apply-usage.js'
import { each, options, type EffectTable, type Usage } from './usage.js'
import { runJoined } from './wrap.js'

const asksHosts: Usage = { rest: 'host', isOpenWorld: true }

const remoteCopy: Usage = {
  rest: 'read',
  last: 'replace',
  remote: 'hosts',
  isOpenWorld: true,
  takes: {
    ...options('-P -o -c -l -B -b -D -s -R', 'text'),
    '-i': 'read',
    '-F': 'read',
    '-J': 'host',
    '-S': 'script',
  },
}

/** Commands that talk to other machines. */
export const network: EffectTable = {
  curl,
  wget,
  ...each('scp sftp', remoteCopy),
  rsync,
  ...each('ssh autossh mosh slogin', ssh),
  ...each('nc ncat netcat', {
    first: ['host'],
    rest: 'text',
    isOpenWorld: true,
    takes: {
      ...options('-p -s -w -i -q -x -X', 'text'),
      '-e': 'command',
      '-c': 'command',
      '--exec': 'command',
      '--sh-exec': 'command',
    },
  }),
  socat: ({ args, from, index }, trace) => {
    trace.openWorld('It talks to other machines.')
    for (const value of args.slice(from + 1).map(valueOf)) {
      const [kind = '', ...rest] = value.split(':')
      if (/^(?:exec|system)$/i.test(kind))
        trace.engine.runText(rest.join(':').replace(/,.*$/, ''), index, trace)
      else if (/^(?:tcp|udp|openssl|ssl)/i.test(kind)) trace.host(rest[0] ?? '')
      else if (/^(?:open|file|create|gopen)$/i.test(kind)) trace.replace(rest.join(':').replace(/,.*$/, ''))
    }
  },
  ...each('telnet ftp tftp lftp rlogin rsh finger', { first: ['host'], rest: 'text', isOpenWorld: true }),
  ...each('ping ping6 traceroute traceroute6 tracepath mtr nmap whois arping fping', {
    ...asksHosts,
    takes: options('-c -i -w -W -s -t -I -p -m -q -M -T -f -n -P', 'text'),
  }),
  ...each('dig nslookup host drill kdig', ({ args, from }, trace) => {
    trace.openWorld('It talks to other machines.')
    for (const arg of args.slice(from + 1)) {
      const value = valueOf(arg)
      if (!/^[-+]|^(?:A|AAAA|MX|TXT|NS|SOA|CNAME|ANY|PTR|SRV)$/i.test(value))
        trace.host(value.replace(/^@/, ''))
    }
  }),
  ...each('http https xh httpie', ({ args, from }, trace) => {
    trace.openWorld('It talks to other machines.')
    for (const arg of args.slice(from + 1)) {
      const value = valueOf(arg)
      if (/^(?:DELETE|PUT|PATCH)$/i.test(value))
        trace.destructive('It may change something on another machine.')
      else if (/^[\w.-]+@/.test(value)) trace.read(tailOf(arg, value.indexOf('@') + 1))
      else if (/^[\w-]+\.[\w.-]+|^:\d/.test(value) || value.includes('/'))
        trace.host(value.replace(/^:/, 'localhost:'))
    }
  }),
  ...each('aria2c axel yt-dlp youtube-dl', {
    rest: 'host',
    isOpenWorld: true,
    isPartial: true,
    takes: { '-o': 'replace', '-d': 'write', '-i': 'read' },
  }),
  ...each('rclone s3cmd gsutil mc', { first: ['text'], rest: 'maybe', isOpenWorld: true, isPartial: true }),
  ...each('mail mailx sendmail mutt msmtp', {
    rest: 'text',
    isOpenWorld: true,
    isPartial: true,
    takes: { '-a': 'read', '-A': 'read' },
  }),
}

const curlUsage: Usage = {
  rest: 'host',
  isOpenWorld: true,
  takes: {
    ...options(
      '-A -e -H -m -u -U -w -y -Y -z -r -C -P -t -Q --user-agent --referer --header --max-time --user',
      'text',
    ),
    ...options(
      '--write-out --range --retry --retry-delay --connect-timeout --limit-rate --data-urlencode',
      'text',
    ),
    ...options(
      '-d --data --data-raw --data-binary --data-ascii --json -F --form --form-string -X --request',
      'text',
    ),
    ...options(
      '--proto --ciphers --max-redirs --interface --oauth2-bearer --aws-sigv4 --resolve --pass',
      'text',
    ),
    ...options(
      '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts',
      'replace',
    ),
    ...options('--output-dir --libcurl --alt-svc', 'replace'),
    ...options(
      '-T --upload-file -K --config -E --cert --key --cacert --capath --netrc-file --etag-compare',
      'read',
    ),
    ...options('--unix-socket --abstract-unix-socket --crlfile --pinnedpubkey --variable', 'read'),
    ...options(
      '-x --proxy --socks5 --socks5-hostname --socks4 --preproxy --url --connect-to --doh-url',
      'host',
    ),
    '-b': 'text',
    '--cookie': 'text',
  },
}

const CURL_DATA =
  /^(?:-d|--data(?:-\w+)?|--json|-F|--form|-H|--header|--url-query|-b|--cookie|-w|--write-out)(?==|$)|^-[dFHb]/

function curl(call: Call, trace: Trace): void {
  applyUsage(curlUsage, call, trace)
  const { args, from } = call
  let savesByName = false
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (!value.startsWith('-')) continue
    if (/^-[a-zA-Z]*O|^--remote-name/.test(value)) savesByName = true
    const option = CURL_DATA.exec(value)
    if (option) readAtFiles(option[0].length === value.length ? args[at + 1] : args[at], trace)
    const method = /^-[a-zA-Z]*X(\w*)$|^--request=?(\w*)$/.exec(value)
    if (method && /^(?:DELETE|PUT|PATCH)$/i.test(method[1] || method[2] || valueOf(args[at + 1] ?? '')))
      trace.destructive('It may change something on another machine.')
  }
  if (savesByName) for (const arg of args.slice(from + 1)) saveByName(arg, trace)
}

/** `@file` and `name=@file;type=x`: the content of a file is sent. */
function readAtFiles(arg: Arg | undefined, trace: Trace): void {
  if (arg === undefined) return
  const value = valueOf(arg)
  const at = value.search(/(?:^|=|^-\w)[@<]/)
  const sign = at === -1 ? -1 : value.slice(at).search(/[@<]/) + at
  if (sign === -1) return
  const file = tailOf(arg, sign + 1)
  trace.read(typeof file === 'string' ? file.replace(/;.*$/, '') : file)
}

/** The file that gets its name from a URL. */
function saveByName(arg: Arg, trace: Trace): void {
  const value = valueOf(arg)
  if (!value.includes('://')) return
  const name = pathOf(arg)
    .replace(/^[^:]*:\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
  const file = name.slice(name.lastIndexOf('/') + 1)
  trace.replace(file === '' ? 'index.html' : file)
}

const wgetUsage: Usage = {
  rest: 'host',
  isOpenWorld: true,
  takes: {
    ...options(
      '-t -T -w -Q -U -l -A -R -D -I -X -e --tries --timeout --wait --user-agent --header --level --accept',
      'text',
    ),
    ...options(
      '--reject --domains --user --password --post-data --body-data --method --limit-rate --execute',
      'text',
    ),
    ...options('-O --output-document -o --output-file --save-cookies --rejected-log', 'replace'),
    ...options('-a --append-output -P --directory-prefix', 'write'),
    ...options(
      '-i --input-file --post-file --body-file --load-cookies --certificate --private-key --config',
      'read',
    ),
    ...options('--ca-certificate --ca-directory', 'read'),
    '-B': 'host',
    '--base': 'host',
    '--use-askpass': 'script',
  },
}

function wget(call: Call, trace: Trace): void {
  applyUsage(wgetUsage, call, trace)
  const values = call.args.slice(call.from + 1).map(valueOf)
  if (
    values.some((value) =>
      /^-[a-zA-Z]*[OP]|^--(?:output-document|directory-prefix|spider|version|help)/.test(value),
    )
  )
    return
  for (const arg of call.args.slice(call.from + 1)) saveByName(arg, trace)
}

const rsyncUsage: Usage = {
  ...remoteCopy,
  takes: {
    ...options(
      '-f -B -T -M --exclude --include --filter --bwlimit --timeout --port --max-size --min-size --chmod',
      'text',
    ),
    ...options(
      '--chown --suffix --block-size --info --out-format --modify-window --compress-level --usermap',
      'text',
    ),
    ...options(
      '--exclude-from --include-from --files-from --password-file --compare-dest --copy-dest --link-dest',
      'read',
    ),
    ...options('--log-file --backup-dir --partial-dir --temp-dir --write-batch', 'write'),
    '-e': 'command',
    '--rsh': 'command',
    '--rsync-path': 'command',
  },
  when: {
    '--remove-source-files': { rest: 'move' },
    '--delete': { destroys: 'It deletes what is not in the source.' },
  },
}

const nearRsyncUsage: Usage = { ...rsyncUsage, isOpenWorld: false }

function rsync(call: Call, trace: Trace): void {
  const isFar = call.args.some((arg) => /^[^/]+:|^rsync:\/\//.test(valueOf(arg)))
  applyUsage(isFar ? rsyncUsage : nearRsyncUsage, call, trace)
  const deletes = call.args.some((arg) => /^--(?:del$|delete)/.test(valueOf(arg)))
  const target = call.args.findLast((arg) => !valueOf(arg).startsWith('-'))
  if (deletes) trace.destructive('It deletes what is not in the source.')
  if (deletes && target !== undefined && !/^[^/]+:/.test(valueOf(target))) trace.remove(target)
}

const SSH_TAKES = /^-[BbcDEeFIiJLlmOopQRSWw]$/

/** `ssh -p 22 user@host command`: the command runs on the other machine. */
function ssh({ args, from, index }: Call, trace: Trace): void {
  trace.openWorld('It talks to other machines.')
  let at = from + 1
  for (; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (!value.startsWith('-')) break
    const given = SSH_TAKES.test(value) ? args[++at] : tailOf(args[at]!, 2)
    if (given === undefined) continue
    if (/^-[iFE]/.test(value)) trace.read(given)
    else if (value.startsWith('-J')) trace.host(valueOf(given))
    else if (value.startsWith('-o')) readSshOption(valueOf(given), { index, trace })
  }
  if (args[at] !== undefined) trace.host(valueOf(args[at]!))
  const wasElsewhere = trace.isElsewhere
  trace.isElsewhere = true
  const text = literalInput(trace.input)
  if (at + 1 < args.length) runJoined(args.slice(at + 1), index, trace)
  else if (text !== undefined) trace.engine.runText(text, index, trace)
  else if (trace.input !== undefined) trace.strict('It runs commands that are known only when it runs.')
  else trace.incomplete('It opens a shell on another machine.')
  trace.isElsewhere = wasElsewhere
}

/** Some options of ssh run a command on this machine. */
function readSshOption(option: string, { index, trace }: { index: number; trace: Trace }): void {
  const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*(.*)$/i.exec(option)
  if (command) trace.engine.runText(command[1]!, index, trace)
}
