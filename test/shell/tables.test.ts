import { describe, expect, it, test } from 'vitest'
import { parseCommand } from '../../src/shell/parse/parse-command.js'
import { prove } from '../../src/shell/proof/prove.js'
import { safeCommands } from '../../src/shell/safe-commands/safe-commands.js'
import { cleanContext } from './clean-context.js'

const proofOf = (text: string) => prove(parseCommand(text), cleanContext)
const isProven = (text: string) => proofOf(text).isReadOnly

describe('an option that is not in the tables', () => {
  it('is refused if it abbreviates one that is', () => {
    const abbreviated = [...safeCommands].flatMap(([command, { options, isFree }]) =>
      isFree
        ? []
        : [...options.keys()]
            .filter((name) => name.startsWith('--'))
            .map((name) => name.slice(0, -1))
            .filter((name) => name.length > 2 && name !== '--version' && !options.has(name))
            .flatMap((name) => [`${command} ${name}`, `${command} x ${name}=x`, `${command} ${name} x`]),
    )
    expect(abbreviated.length).toBeGreaterThan(5000)
    expect(abbreviated.filter(isProven)).toEqual([])
  })

  it('is refused for commands that take any word which only the shell can expand', () => {
    const free = [...safeCommands].filter(([, { takesUnknown }]) => takesUnknown).map(([command]) => command)
    expect(free.length).toBeGreaterThan(60)
    expect(free.filter((command) => !isProven(`${command} "$x" *`))).toEqual([])
    expect(free.filter((command) => isProven(`${command} --run-program=x`))).toEqual([])
    expect(free.filter((command) => isProven(`${command} -é x`))).toEqual([])
  })
})

/** Each wrote a file, ran a program or queried a name server when it was run, here or in another version of the program. */
describe('is not proven', () => {
  test.each([
    // letters behind one that takes the next word stay options
    'tree -Po x made',
    'tree -Io x made',
    'tree -PI x y',
    'tree -L2o made',
    'tree --outp made',
    // an option behind an operand is one more operand to some
    'uniq in -c',
    'uniq in out',
    'uniq in --',
    'uniq *',
    'uniq "$in"',
    'xxd in -p',
    'xxd in --',
    'xxd in out',
    'xxd -r in',
    // the last mode counts
    'bzip2 -td in.bz2',
    'bzip2 -t -d in.bz2',
    'bzip2 -t --decompress in.bz2',
    'bzip2 -V in',
    'xz -l -d in.xz',
    'xz --test --uncompress in.xz',
    'xz -tdk in.xz',
    'zstd -t -d in.zst',
    'zstd -l --decompress in.zst',
    'zstd -c -o out in',
    'zstd --rm -c in',
    'gzip -t -d in.gz',
    'gzip -k in',
    'gzip -cf in -o',
    // files of options
    'nm -t @opts',
    'nm -t "$x" program',
    'nm @opts',
    'objdump -M @opts program',
    'readelf -x @opts program',
    'size --format @opts',
    'strings @opts',
    'strings -n "$x" program',
    // programs and libraries of somebody's choice
    'getconf -v ../../tmp/x PATH',
    'getent -s x/y passwd root',
    'getent --service=hosts:x/y hosts',
    'fd --base-directory x -x git status',
    'fd -C x . -X git status',
    'ifconfig eth0 -s',
    'bat --list-themes',
    'diff -l a b',
    'diff --paginate a b',
    'nm --plugin ./x.so program',
    'tree -R -L 1',
    'rg --pre ./x y',
    'rg --hostname-bin ./x y',
    'rg -z x',
    'ag --pager ./x y',
    "fzf --bind 'x+execute(rm y):up'",
    "fzf --bind 'a:execute(rm y)'",
    "fzf --bind 'a:up+become:rm y'",
    'fzf --preview x',
    'bat --pager ./x y',
    'tar -tf x.tar --checkpoint-action=exec=x',
    'tar -tf host:x.tar',
    'tar -tIx -f y',
    '7z l x.7z -oy',
    'unzip -l x.zip -d y',
    // what sets or clears
    'date -us 1',
    'date --se 1',
    'date 01010000',
    'date +%s +%Y',
    'hostname -F file',
    'hostname -b',
    'hostname new',
    'dmesg -tc',
    'dmesg --cle',
    'journalctl --vac=1',
    'journalctl --rotate',
    'journalctl --cursor-file=x',
    'sysctl -w a=b',
    'sysctl a=b',
    'sysctl -ap',
    'fuser -vk x',
    'lsof -rD b',
    'lsof -s-D b',
    'file -bC -m x',
    'sensors -s',
    'ss -aK',
    'ss -D out',
    'iptables -L -Z',
    'crontab -l x',
    // names of hosts that would be looked up
    'ss dst example.com',
    'ss -n dst cafe',
    'ss "( dst cafe or sport = :22 )"',
    'ss dst abc:80',
    'ss -F names',
    'lsof -n +M',
    'arp -n example.com',
    'lsof -n -i @example.com',
    'lsof -n -i4tcp@example.com',
    'fuser -n tcp 80,example.com',
    // what is sent stands in a file, or the address carries commands
    'curl --url-query x@secret https://example.com',
    'curl --etag-compare secret https://example.com',
    'curl -b secret https://example.com',
    'curl --netrc-file secret https://example.com',
    'curl --url @addresses',
    'curl @addresses',
    'curl gopher:/localhost/_x',
    'curl GOPHER:///localhost/_x',
    'curl {gopher,http}://localhost',
    'curl ftp.example.com',
    'curl -ho x https://example.com',
    'curl --nex https://example.com',
    'wget -O- host:path',
    'wget -O- -O out https://example.com',
    'wget -qOout https://example.com',
    // databases
    "sqlite3 -readonly x.db 'select * from v'",
    "sqlite3 -safe x.db 'select * from v'",
    "sqlite3 -readonly -safe x.db 'select * from v'",
    "sqlite3 -readonly 'file:x.db?immutable=1' 'select * from v'",
    "sqlite3 -safe -readonly 'file:x.db?immutable=1&vfs=y' 'select 1'",
    "sqlite3 -safe -readonly 'file:x.db?immutable=1' .shell",
    "sqlite3 -safe -readonly -cmd '.shell x' 'file:x.db?immutable=1' 'select 1'",
    "sqlite3 -safe -readonly 'file:x.db?immutable=1'",
    'sqlcmd',
    'sqlcmd -h -i x',
    "sqlcmd query 'select 1 shutdown'",
    "sqlcmd query 'select a from b drop table c'",
    "sqlcmd query 'select 1\n!!rm x'",
    "sqlcmd query 'show x'",
    'duckdb',
    'mysql',
    "mysql -e 'select 1\nsystem rm x'",
    "mysql -e '\\! rm x'",
    'psql',
    'psql -f x',
  ])('%s', (text) => expect(isProven(text)).toBe(false))
})

describe('is not a plain query', () => {
  test.each([
    'select nextval(1)',
    'select pg_terminate_backend (1)',
    'select lo_export(1, 2)',
    'select * from dblink(1)',
    'select "count"(1)',
    'select pg_catalog.count(1)',
    'select sleep(5)',
    'select edit(1)',
    'select load_extension(1)',
    'select 1 into x',
    'select * into x from y',
    'select a into outfile "x" from y',
    'select * from x for update',
    'select * from x for share',
    'select * from x lock in share mode',
    'select 1; select 2',
    'select 1;;',
    'select 1 -- x',
    'select /*! sleep(5) */ 1',
    'select 1 # x',
    'select $$x$$',
    'select $1',
    'select :x',
    'select @x := 1',
    'select `x`',
    'select 1\\gexec',
    "select 'a\\' || sleep(5) || '",
    "select E'a'",
    "select 'a' 'b'",
    'select a drop',
    'select a from b exec',
    'explain analyze select 1',
    'explain delete from x',
    'with x as (delete from y) select 1',
    'values (1)',
    'select 1 union delete from x',
    'select (delete from x)',
    'select',
    'show (x)',
    'describe x y',
    'all select 1',
    `select ${'('.repeat(100)}1${')'.repeat(100)}`,
  ])('%s', (statement) => {
    const word = `'${statement.replaceAll("'", "'\\''")}'`
    expect(isProven(`psql -c ${word}`)).toBe(false)
    expect(isProven(`mysql -e ${word}`)).toBe(false)
    expect(isProven(`sqlcmd query ${word}`)).toBe(false)
  })
})

describe('is proven', () => {
  test.each([
    'uniq in',
    'uniq -c in',
    'uniq -c -- in',
    'tree -aI node_modules -L 2 .',
    'tree -aL 2',
    'tree -L3 -P x',
    'xxd -l 16 -p in',
    'xxd -g1 -c16 in',
    'bzip2 -tv in.bz2',
    'bzip2 -dc in.bz2',
    'xz -dc in.xz',
    'xz -l in.xz',
    'zstd -dc in.zst',
    'zstd -t in.zst',
    'gunzip -c in.gz',
    'gzip -l "./$x"',
    'unzip -l ./*.zip',
    '7z l "./$x"',
    'nm -D program',
    'strings -n 8 program',
    'objdump -d ./*.o',
    'grep -e -x -- "$x" *',
    'grep -rnA3 --include=*.ts x .',
    'head -20 x',
    'tail -n +5 x',
    'seq 5 -1 1',
    'seq 1 -0.5 0',
    'paste -sd, -',
    'od -An -tx1 -N16 x',
    'diff -ruN a b',
    'du -hd 1 -- *',
    'cut -d- -f1 x',
    'column -ts, x',
    'last -10',
    'ps aux --sort -rss',
    'ps -eo pid,cmd --sort=-%cpu',
    'jq --arg a b -r .c x',
    'echo --- x ---',
    'ls -la1 --color=never',
    'stat -c %s "$x"',
    'stat -f %z x',
    'who',
    'last -n 5',
    'hostname',
    'hostname -I',
    'getconf PAGE_SIZE',
    'date -u +%F',
    'lsof -n -P -i :80',
    'lsof -nP -iTCP:80 -s TCP:LISTEN',
    'ss -tlnp',
    "ss -tn state established '( dport = :443 or sport = :443 )'",
    'netstat -tln',
    'netstat -tulpn',
    'fd --base-directory x y',
    'fd y -x wc -l',
    'arp -an',
    'ip -br addr',
    "fzf --bind 'ctrl-/:toggle-preview'",
    "sqlite3 -safe -readonly 'file:x.db?immutable=1' 'select * from v'",
    'sqlite3 -version',
    'xz -h',
    'top -h',
    'nft -h',
    'systemctl -h',
    'jq -h',
    'fdisk -h',
    'duckdb -help',
  ])('%s', (text) => expect(proofOf(text)).toMatchObject({ isReadOnly: true, isOpenWorld: false }))
})

describe('is proven read-only and open-world', () => {
  test.each([
    'who --lookup',
    'last -d',
    'hostname -f',
    'hostname -Ai',
    'dnsdomainname',
    'hostid',
    'w',
    'lsof -i :80',
    'netstat -t',
    'arp -a',
    'route',
    'ss -tr',
    'iptables -L',
    'ip -r route show',
    "curl 'example.com/x?a=b@c'",
    'curl -b a=b https://example.com',
    'curl --url-query a=b https://example.com',
    'wget https://example.com -O -',
    'ping example.com -c 1',
    "sqlcmd query 'EXPLAIN SELECT * FROM users' --database x",
    'sqlcmd -h',
    `psql -c 'select a.b, count(distinct c)::int as "n" from x.a a left join b using (id), (select 1) y where a.b in (1, 2) and not (c is not null or d like '\\''%x'\\'') group by 1 having count(*) > 2 order by n desc nulls last limit 10 offset 5;'`,
    `psql -c "select case when a between 1 and 2 then 'x' else cast(b as varchar(10)) end from t union all select max(c) over (partition by d order by e) from t"`,
    "psql -c 'select extract(year from a) from b where exists (select 1 from c)'",
    "mysql -e 'select a,\n b\nfrom c'",
    "mysql -e 'show create table x.y'",
    "mysql -e 'describe x'",
    'mysql -e \'show variables like "x"\'',
  ])('%s', (text) => expect(proofOf(text)).toMatchObject({ isReadOnly: true, isOpenWorld: true, reason: '' }))
})
