/** URLs of hosts that a request from outside must not reach. */
export interface HostileUrls {
  /** A port that the canaries listen on. */
  readonly port: number
  /** A socket file that a canary listens on. */
  readonly socket: string
}

/** The addresses that attacks aim at. */
const TARGETS: readonly string[] = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
]

/** The ways to write an IPv4 address in a URL. */
function notationsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const all = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number): string => value.toString(16)
  const octal = (value: number): string => `0${value.toString(8)}`
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  const wide = (text: string): string =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  return [
    address,
    `${address}.`,
    String(all),
    `0x${hex(all)}`,
    octal(all),
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${octal(a)}.0x${hex(b)}.${c}.${octal(d)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `000${octal(a)}.${b}.${c}.${d}`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2e'),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[2001::${hex(0xffff ^ (a * 256 + b))}:${hex(0xffff ^ (c * 256 + d))}]`,
  ]
}

const IPV6: readonly string[] = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0001',
  'fe80::1',
  'febf::1',
  'fc00::1',
  'fd00::1',
  'fec0::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  'fe80::a9fe:a9fe',
  'ff02::1',
  'ff0e::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '2001:10::1',
  '5f00::1',
]

/** Names of this machine, and what a browser reads as such. */
const NAMES: readonly string[] = [
  'localhost',
  'localhost.',
  'LocalHost',
  'a.localhost',
  'a.b.localhost.',
  'loc%61lhost',
  'localhost%2e',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'local\u00adhost',
  'lo\u200bcalhost',
  'localhost。',
  'ℒocalhost',
  '①②⑦.⓪.⓪.①',
  // These are resolved by DNS.
  'rebound.example',
  'localtest.example',
  '127.0.0.1.nip.example',
  'metadata.google.internal',
  'private.example',
  'ten.example.',
  'six.example',
  'mapped.example',
  'mixed.example',
  'mixed-six.example',
  'alias.example',
  'alias-of-alias.example',
  'nowhere.example',
]

/** Other ways to reach this machine by a URL; `HOST` is it with a port. */
const FORMS: readonly string[] = [
  'http:HOST/',
  'http:/HOST/',
  'http:///HOST/',
  'http:////HOST/',
  'http:\\\\HOST\\',
  'http:/\\HOST/',
  'HtTp://HOST/',
  ' http://HOST/ ',
  '\thttp://HOST/',
  'ht\ntp://HOST/',
  'http:\r//HOST/',
  'http://1\t27.0.0.1:PORT/',
  'http://127.0.0.1\n:PORT/',
  'http://127.0.0.1:\tPORT/',
  'http://HOST\\@private.example/',
  'http://HOST\\.private.example/',
  'http://HOST#@private.example/',
  'http://HOST?@private.example/',
  'http://HOST/@private.example/',
  'http://private.example@HOST/',
  'http://private.example:80@HOST/',
  'http://private.example%40HOST/',
  'http://private.example\\@HOST/',
  'http://a:b@HOST/',
  'http://@HOST/',
  'http://:@HOST/',
  'http://a@b@HOST/',
  'http://%00@HOST/',
  'http://private.example%2f@HOST/',
  'http://HOST:80/',
  'http://127.0.0.1:000PORT/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:-1/',
  'http://127.0.0.1:80PORT/',
  'http://127.0.0.1%00.private.example/',
  'http://127.0.0.1%0d%0a.private.example/',
  'http://127.0.0.1 .private.example/',
  'http://[::1%25lo]:PORT/',
  'http://[::1%lo]:PORT/',
  'http://[127.0.0.1]:PORT/',
  'http://[::1/:PORT',
  'http://0:PORT/',
  'http://0x:PORT/',
  'http://0.:PORT/',
  'http://00000000:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://4294967295/',
  'http://4294967296/',
  'http://256.256.256.256/',
  'http://-1/',
  'http:///',
  'http://.:PORT/',
  'http://..:PORT/',
]

/** Everything that is not http. */
const SCHEMES: readonly string[] = [
  'https://HOST/',
  'file:///etc/passwd',
  'file://HOST/etc/passwd',
  'file:\\\\127.0.0.1\\c$',
  'ftp://HOST/',
  'ftps://HOST/',
  'gopher://HOST/_GET%20/',
  'dict://HOST/d:a',
  'ldap://HOST/',
  'sftp://HOST/',
  'tftp://HOST/a',
  'ws://HOST/',
  'wss://HOST/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:http://HOST/a',
  'about:blank',
  'mailto:a@127.0.0.1',
  'jar:http://HOST/!/a',
  'view-source:http://HOST/',
  'unix:SOCKET',
  'unix://SOCKET',
  'http+unix://ENCODED/',
  'http://unix:SOCKET:/',
  'http://unix/SOCKET',
  'http://ENCODED/',
  'httpx://HOST/',
  'http-://HOST/',
  '//HOST/',
  'HOST',
  '',
]

/** All of them, without repetitions. */
export function hostileUrls({ port, socket }: HostileUrls): string[] {
  const urls = [
    ...TARGETS.flatMap(notationsOf).map((host) => `http://${host}:${port}/`),
    ...IPV6.map((address) => `http://[${address}]:${port}/`),
    ...NAMES.map((name) => `http://${name}:${port}/`),
    ...[...FORMS, ...SCHEMES].map((form) =>
      form
        .replaceAll('HOST', `127.0.0.1:${port}`)
        .replaceAll('PORT', String(port))
        .replaceAll('SOCKET', socket)
        .replaceAll('ENCODED', encodeURIComponent(socket)),
    ),
  ]
  return [...new Set(urls)]
}
