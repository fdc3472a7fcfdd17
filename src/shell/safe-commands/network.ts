import type { CommandFamily } from '../command-spec.js'
import { isPlainHeader } from '../grammars/is-plain-header.js'
import { judgeIp } from '../grammars/judge-ip.js'

const isReadingMethod = (value: string) => /^(?:GET|HEAD|OPTIONS|TRACE)$/i.test(value)

// Other schemes let the URL itself contain commands, with one slash or two, and curl guesses a scheme from a host name
// such as `ftp.`. A leading at sign names a file of URLs.
const isWebAddress = (value: string) =>
  /^https?:\/\/[^/]/i.test(value) ||
  (/^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::[0-9]+)?(?:[/?#].*)?$/i.test(value) &&
    !/^(?:ftp|dict|ldap|imap|smtp|pop3)\./i.test(value))

const isNoModule = (value: string) => !value.includes('pkcs11')

/** The value itself is sent, not the content of a file that it names. */
const isNoFileName = (value: string) => !value.includes('@')
const isCookie = (value: string) => value.includes('=')

/** The page goes to standard output, or is not stored at all. */
const isNoFile = (value: string) => value === '-' || value === '/dev/null'

const isAddress = (value: string) => /^(?:[0-9.]+|[0-9a-f]*:[0-9a-f:.]+(?:%\w+)?)$/i.test(value)
const isHost = (value: string) => /^[\w:][\w.:%-]*$/.test(value)

const filterWords = new Set(
  `( ) = == != <> < > <= >= ! & && | || and or not eq neq ne lt gt le ge state exclude src dst sport dport dev all
    connected synchronized bucket big established syn-sent syn-recv fin-wait-1 fin-wait-2 time-wait closed close-wait
    last-ack listening listen closing autobound`.split(/\s+/),
)
/** Which sockets `ss` shows, by state, port and address. Any other word may be a host, which it would look up. */
const isSocketFilter = (value: string) =>
  value
    .trim()
    .split(/\s+/)
    .every(
      (word) =>
        filterWords.has(word) || /^(?:[0-9.*]+(?:\/[0-9]+)?|\[[0-9a-f:.]*\])?(?::[\w*-]+)?$/.test(word),
    )

const DIG = '-h -4 -6 -m -r -u -v -b= -c= -k= -p= -q= -t= -x= -y='

/** Commands that query other hosts, or print facts about this one's network. */
export const network: CommandFamily = {
  curl: {
    isOpenWorld: true,
    // Not -o, -O, -c, -D, --trace and the like, which write, -K, which reads more options, -T, -d and -F, which send,
    // and --etag-compare and --netrc-file, which send the content of a file.
    options: `-0 -1 -2 -3 -4 -6 -A= -b= -C= -e= -E= -f -g -G -h -H= -i -I -j -k -l -L -m= -M -n -N -p -q -r= -s -S
      -u= -U= -v -V -w= -x= -X= -y= -Y= -z= -Z -# --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge
      --http3 --http3-only --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max= --ipv4 --ipv6 --user-agent=
      --cookie= --continue-at= --referer= --cert= --key= --fail --fail-with-body --fail-early --globoff --get --help
      --header= --include --head --junk-session-cookies --insecure --location --location-trusted --max-time=
      --manual --netrc --netrc-optional --no-buffer --range= --silent --show-error --show-headers
      --user= --proxy-user= --verbose --version --write-out= --proxy= --request= --speed-time= --speed-limit=
      --time-cond= --parallel --parallel-max= --progress-bar --no-progress-meter --compressed --tr-encoding --raw
      --cacert= --capath= --ca-native --crlfile= --ciphers= --curves= --connect-timeout= --connect-to= --resolve=
      --doh-url= --doh-insecure --dns-servers= --interface= --local-port= --keepalive-time= --no-keepalive
      --limit-rate= --max-filesize= --max-redirs= --noproxy= --oauth2-bearer= --anyauth --basic --digest --ntlm
      --negotiate --aws-sigv4= --path-as-is --post301 --post302 --post303 --proto= --proto-default= --retry=
      --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= --ssl --ssl-reqd --ssl-no-revoke
      --cert-status --styled-output --no-styled-output --tcp-fastopen --tcp-nodelay --url= --url-query=
      --happy-eyeballs-timeout-ms= --expect100-timeout= --no-alpn --no-npn --no-sessionid
      --disallow-username-in-url --rate= --socks5= --socks5-hostname=`,
    values: {
      '-X': isReadingMethod,
      '--request': isReadingMethod,
      // A format can name a file to write to, and a file can hold such a format.
      '-w': (value) => !/%output|^@/.test(value),
      '--write-out': (value) => !/%output|^@/.test(value),
      '-H': isPlainHeader,
      '--header': isPlainHeader,
      '--url': isWebAddress,
      '--url-query': isNoFileName,
      '-b': isCookie,
      '--cookie': isCookie,
      '--proto-default': (value) => /^https?$/.test(value),
      // Such a URL loads a library.
      '-E': isNoModule,
      '--cert': isNoModule,
      '--key': isNoModule,
    },
    operand: isWebAddress,
  },
  wget: {
    isOpenWorld: true,
    needs: '--spider -O --output-document -h -V',
    options: `-h -V -q -v -d -S -4 -6 -O= -T= -t= -U= -w= --spider --quiet --verbose --no-verbose --debug
      --server-response --output-document= --timeout= --tries= --user-agent= --header= --no-check-certificate
      --inet4-only --inet6-only --max-redirect= --no-cache --no-cookies --no-proxy --user= --password= --https-only
      --secure-protocol= --referer= --connect-timeout= --read-timeout= --dns-timeout= --no-hsts --content-on-error`,
    values: { '--header': isPlainHeader, '-O': isNoFile, '--output-document': isNoFile },
    operand: isWebAddress,
  },
  dig: {
    isOpenWorld: true,
    options: DIG,
    operand: (value) => /^[@+]?[\w.:=-]+$/.test(value),
  },
  host: {
    isOpenWorld: true,
    options: '-a -A -c= -C -d -i -l -N= -p= -r -R= -s -t= -T -U -v -w -W= -4 -6',
    operand: isHost,
  },
  nslookup: {
    isOpenWorld: true,
    style: 'words',
    options: '-type= -query= -q= -debug -timeout= -port= -class=',
    operand: isHost,
    // Alone it takes commands from its input.
    check: ({ operands }) => operands.length > 0,
  },
  ping: {
    isOpenWorld: true,
    options: '-h -V -4 -6 -a -c= -D -i= -I= -n -o -O -q -s= -t= -v -w= -W=',
    operand: isHost,
  },
  traceroute: {
    isOpenWorld: true,
    options: '-4 -6 -n -m= -q= -w= -I -T -r -f= -p= -N= -e -A',
    operand: isHost,
  },
  tracepath: { isOpenWorld: true, options: '-4 -6 -n -m= -b -l= -p= -V', operand: isHost },
  mtr: {
    isOpenWorld: true,
    needs: '-r --report -w --report-wide',
    options:
      '-4 -6 -n -m= -T -u -r -w -c= -b -i= --report --report-wide --no-dns --report-cycles= --show-ips',
    operand: isHost,
  },
  whois: { isOpenWorld: true, options: '-h= -p= -H', operand: isHost },

  ip: { judge: judgeIp },
  ifconfig: {
    options: '-a -s -v -L -m -r -l',
    operands: 1,
    optionsFirst: true,
    operand: (value) => /^[a-z][\w.]*$/.test(value),
  },
  ss: {
    // Not -K, which closes sockets, -D, which writes, and -F, which reads the filter from a file, with host names.
    reachesOutWith: '-r --resolve',
    operand: isSocketFilter,
    options: `-h -V -n -r -a -l -o -e -m -p -i -s -t -u -d -w -x -S -Z -z -b -4 -6 -0 -H -O -T -M -f= -A= -E
      --numeric --resolve --all --listening --options --extended --memory --processes --info --summary --tcp --udp
      --dccp --raw --unix --sctp --vsock --ipv4 --ipv6 --packet --no-header --oneline --threads --family= --query=
      --socket= --events --tos --cgroup --bpf --mptcp --tipc --xdp --help --version`,
  },
  netstat: {
    reachesOutWithout: '-n --numeric --numeric-hosts',
    options: `-a -A= -b -c -e -f= -g -i -I= -l -L -m -M -n -N -o -p -r -R -s -t -u -v -w -W -x -4 -6 -Z --all
      --extend --groups --interfaces --listening --numeric --numeric-hosts --numeric-ports --programs --route
      --statistics --tcp --udp --verbose --wide`,
  },
  arp: {
    reachesOutWithout: '-n --numeric',
    options: '-a -n -v -e -i= -l -x --verbose --numeric --device=',
    operands: 1,
    operand: isAddress,
  },
  route: { reachesOutWithout: '-n --numeric', options: '-n -e -v -4 -6 --numeric', operands: 0 },
  resolvectl: {
    isOpenWorld: true,
    isBare: true,
    options: '-h --no-pager -4 -6 -t= --type= -i= --interface= --legend=',
    isPersistent: true,
    verbs: { 'status query statistics': {} },
  },
  networkctl: {
    isBare: true,
    options: '-h --no-pager -a --all -s',
    isPersistent: true,
    verbs: { 'list status lldp label': {} },
  },
  'iptables ip6tables': {
    needs: '-L -S --list --list-rules',
    options: '-L -S -n -v -t= -x -w --list --list-rules --numeric --verbose --table= --line-numbers --exact',
    reachesOutWithout: '-n --numeric -S --list-rules',
  },
  // A semicolon would begin another command.
  nft: {
    isBare: true,
    options: '-h -V -v -a -n -j -s -y -p',
    verbs: { list: { operand: (value) => /^[\w-]+$/.test(value) } },
  },
  ufw: {
    verbs: { status: { operand: (value) => value === 'verbose' || value === 'numbered' }, version: {} },
  },
}
