// What a hostile program tries. `script` runs in bash in the workspace; `succeeded` looks at the host afterwards.
const changed =
  (path, was) =>
  ({ read }) =>
    read(path) !== was
const victim = changed('/home/user/outside/victim', 'untouched\n')
const rules = changed('/home/user/project/toolcrib.yaml', 'rules\n')
const deep = changed('/home/user/project/deep/er/settings.yaml', 'deep\n')
const made =
  (path) =>
  ({ exists }) =>
    exists(path)
const says =
  (text) =>
  ({ output }) =>
    output.includes(text)
const hit =
  (name) =>
  ({ hits }) =>
    hits.some((each) => each.includes(name))
const node = (code) => `node -e '${code}'`
const reach = (path) =>
  node(
    `require("node:net").connect(${JSON.stringify(path)}).on("data",d=>process.stdout.write(d)).on("error",e=>console.log(e.code))`,
  )
const OUT = '/home/user/outside'

const files = [
  ['write to a file outside', `echo x >${OUT}/victim`, victim],
  ['append to a file outside', `echo x >>${OUT}/victim`, victim],
  ['create a file outside', `echo x >${OUT}/new`, made(`${OUT}/new`)],
  ['create a folder outside', `mkdir ${OUT}/new`, made(`${OUT}/new`)],
  ['delete a file outside', `rm -f ${OUT}/victim`, victim],
  ['rename a file outside', `mv ${OUT}/victim ${OUT}/other`, victim],
  ['move a file out of the workspace', `mv a.txt ${OUT}/moved`, made(`${OUT}/moved`)],
  [
    'change the mode of a file outside',
    `chmod 777 ${OUT}/victim`,
    ({ stat }) => (stat(`${OUT}/victim`).mode & 0o777) === 0o777,
  ],
  [
    'change the time of a file outside',
    `touch -d @1 ${OUT}/victim`,
    ({ stat }) => stat(`${OUT}/victim`).mtimeMs === 1000,
  ],
  ['truncate a file outside', `truncate -s 0 ${OUT}/victim`, victim],
  ['set an attribute of a folder outside', `rmdir ${OUT}/folder`, ({ exists }) => !exists(`${OUT}/folder`)],
  ['write through a symbolic link to a file', 'echo x >link-victim', victim],
  ['write through a symbolic link to a folder', 'echo x >link-out/victim', victim],
  ['write through a new symbolic link', `ln -s ${OUT}/victim l && echo x >l`, victim],
  ['write through a chain of links', `ln -s ${OUT} l1 && ln -s l1 l2 && echo x >l2/victim`, victim],
  ['write through a relative path', 'echo x >../outside/victim', victim],
  ['write with many dots', `echo x >./../../user/./outside/../outside/victim`, victim],
  ['hard-link a file outside and write it', `ln ${OUT}/victim hard && echo x >hard`, victim],
  ['hard-link a protected file and write it', 'ln toolcrib.yaml hard && echo x >hard', rules],
  ['write through /proc/self/root', `echo x >/proc/self/root${OUT}/victim`, victim],
  ['write through /proc/self/cwd', 'echo x >/proc/self/cwd/../outside/victim', victim],
  ['write through a descriptor in /proc', `exec 9<${OUT}/victim && echo x >/proc/self/fd/9`, victim],
  ['write through the root of another process', `echo x >/proc/@pid@/root${OUT}/victim`, victim],
  ['write through the folder of another process', 'echo x >/proc/@pid@/cwd/outside/victim', victim],
  [
    'swap a folder for a link while writing',
    `for i in $(seq 50); do mkdir -p race; echo x >race/victim & rm -rf race; ln -sfn ${OUT} race; wait; echo x >race/victim; rm -f race; done 2>/dev/null`,
    victim,
  ],
  [
    'copy a tree over a link',
    `mkdir -p from/link-out && echo x >from/link-out/victim && cp -r --remove-destination from/. . 2>/dev/null; cp from/link-out/victim link-out/victim`,
    victim,
  ],
  [
    'extract an archive through a link',
    `mkdir t && echo x >t/victim && tar cf t.tar -C t victim && tar xf t.tar -C link-out`,
    victim,
  ],
  ['write with another program', node(`require("node:fs").writeFileSync("${OUT}/victim","x")`), victim],
  ['leave a file in the shared temporary folder', 'echo x >/tmp/leak', made('/tmp/leak')],
  ['leave a file in /run', 'echo x >/run/leak', made('/run/leak')],
  ['leave a file in shared memory', 'echo x >/dev/shm/leak', made('/dev/shm/leak')],
  ['plant a start-up file of the user', 'echo x >/home/user/.bashrc', made('/home/user/.bashrc')],
]

const protectedPaths = [
  ['change protected settings', 'echo x >toolcrib.yaml', rules],
  ['delete protected settings', 'rm -f toolcrib.yaml', rules],
  ['replace protected settings by a rename', 'echo x >n && mv -f n toolcrib.yaml', rules],
  ['move protected settings away', 'mv toolcrib.yaml gone', rules],
  ['replace protected settings by a link', 'ln -sf a.txt toolcrib.yaml', rules],
  [
    'create protected settings that do not exist',
    'echo x >toolcrib.local.yaml',
    ({ stat }) => stat('/home/user/project/toolcrib.local.yaml')?.size > 0,
  ],
  [
    'create them by a rename',
    'echo x >n && mv -f n toolcrib.local.yaml',
    ({ stat }) => stat('/home/user/project/toolcrib.local.yaml')?.size > 0,
  ],
  [
    'create them as a link',
    'ln -sfn a.txt toolcrib.local.yaml && [ -s toolcrib.local.yaml ] && echo LINKED',
    says('LINKED'),
  ],
  [
    'delete the placeholder and create them',
    'rm -f toolcrib.local.yaml; echo x >toolcrib.local.yaml',
    ({ stat }) => stat('/home/user/project/toolcrib.local.yaml')?.size > 0,
  ],
  ['change deep settings', 'echo x >deep/er/settings.yaml', deep],
  [
    'rename the folder above deep settings',
    'mv deep/er deep/moved && mkdir deep/er && echo x >deep/er/settings.yaml',
    deep,
  ],
  [
    'rename the folder above that',
    'mv deep moved && mkdir -p deep/er && echo x >deep/er/settings.yaml',
    deep,
  ],
  [
    'create deep settings in a missing folder',
    'mkdir -p deep/new && echo x >deep/new/settings.yaml',
    ({ stat }) => stat('/home/user/project/deep/new/settings.yaml')?.size > 0,
  ],
  ['plant a git hook', 'echo x >.git/hooks/pre-commit', made('/home/user/project/.git/hooks/pre-commit')],
  [
    'move the hooks away and plant one',
    'mv .git/hooks .git/h && mkdir .git/hooks && echo x >.git/hooks/pre-commit',
    made('/home/user/project/.git/hooks/pre-commit'),
  ],
  ['change the git config', 'echo x >>.git/config', changed('/home/user/project/.git/config', 'config\n')],
  [
    'rename the whole .git folder',
    'mv .git g && mkdir .git && echo x >.git/config',
    changed('/home/user/project/.git/config', 'config\n'),
  ],
  [
    'create a protected folder that does not exist',
    'mkdir -p .claude && echo x >.claude/settings.json',
    made('/home/user/project/.claude/settings.json'),
  ],
  ['read hidden records', 'cat .toolcrib/crib.db', says('RECORDS')],
  [
    'read hidden records by their descriptor',
    'exec 7<.toolcrib && cat /proc/self/fd/7/crib.db',
    says('RECORDS'),
  ],
  ['read a private key', 'cat /home/user/.ssh/id_ed25519', says('PRIVATE-KEY')],
  [
    'read a private key through another process',
    'cat /proc/@pid@/root/home/user/.ssh/id_ed25519',
    says('PRIVATE-KEY'),
  ],
  [
    'change records',
    'echo x >.toolcrib/crib.db',
    changed('/home/user/project/.toolcrib/crib.db', 'RECORDS\n'),
  ],
]

const network = [
  ['reach the docker socket', reach('/run/docker.sock'), hit('docker')],
  ['reach an agent socket in the home folder', reach('/home/user/agent.sock'), hit('/home/user/agent')],
  ['reach an ssh agent in /tmp', reach('/tmp/ssh-agent.sock'), hit('ssh-agent')],
  ['reach a socket with a relative name', reach('/home/user/relative.sock'), hit('relative')],
  ['reach an abstract socket', reach('\0abstract-host').replace('\0', String.raw`\u0000`), hit('abstract')],
  [
    'reach a socket through a link',
    `ln -s /home/user/agent.sock s && ${reach('s')}`,
    hit('/home/user/agent'),
  ],
  ['reach a socket through /proc', reach('/proc/self/root/home/user/agent.sock'), hit('/home/user/agent')],
  ['open a TCP connection', ': <>/dev/tcp/127.0.0.1/4100', hit('object')],
  [
    'open a TCP connection over IPv6',
    node('require("node:net").connect(4100,"::ffff:127.0.0.1").on("error",()=>{}).on("data",()=>{})'),
    hit('object'),
  ],
  [
    'listen where the host can connect',
    `${node('require("node:net").createServer(s=>s.end()).listen(4200,"0.0.0.0",()=>setTimeout(()=>process.exit(),1200))')}`,
    ({ exists }) => exists('/tmp/leak'),
    {
      host: 'for i in $(seq 20); do (: <>/dev/tcp/127.0.0.1/4200) 2>/dev/null && touch /tmp/leak; sleep 0.1; done',
    },
  ],
]

const processes = [
  ['signal another process', 'kill -9 @victim@', async ({ isVictimAlive }) => !(await isVictimAlive())],
  [
    'signal every process',
    'kill -9 @victim@ $(ls /proc | grep -x "@victim@")',
    async ({ isVictimAlive }) => !(await isVictimAlive()),
  ],
  [
    'see another process',
    '[ "$(tr "\\0" " " </proc/@victim@/cmdline 2>/dev/null)" = "sleep 600 " ] && echo SEEN',
    says('SEEN'),
  ],
  [
    'read the environment of another process',
    'tr "\\0" "\\n" </proc/@victim@/environ',
    says('ENVIRONMENT-SECRET'),
  ],
  ['read the environment of its parent', 'env', says('ENVIRONMENT-SECRET')],
  ['read the memory map of another process', 'cat /proc/@victim@/maps', says('[stack]')],
  ['slow another process down', 'renice -n 5 -p @victim@ && echo DONE', says('DONE')],
  [
    'stay alive after the end',
    '(setsid sh -c "sleep 0.5; echo x >late" >/dev/null 2>&1 &) ; sleep 0.1',
    async ({ exists }) => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      return exists('/home/user/project/late')
    },
  ],
  [
    'use more processor time than allowed',
    node('for(;;){for(let i=0;i<1e7;i++);if(process.cpuUsage().user>3e6){console.log("WENT-ON");break}}'),
    says('WENT-ON'),
    { timeoutMs: 60_000 },
  ],
  [
    'write a larger file than allowed',
    'head -c 12000000 /dev/zero >big; [ "$(stat -c %s big)" = 12000000 ] && echo LARGE',
    says('LARGE'),
  ],
  [
    'start more processes than allowed',
    'for i in $(seq 150); do sleep 1 & done 2>/dev/null; n=$(jobs -r | wc -l); [ "$n" -gt 120 ] && echo MANY; kill $(jobs -p) 2>/dev/null',
    says('MANY'),
  ],
  [
    'use more memory than allowed',
    node(
      'try{const a=[];for(let i=0;i<30;i++)a.push(Buffer.alloc(1e8,1).length);new ArrayBuffer(3e9);console.log("HUGE")}catch(e){}',
    ),
    says('HUGE'),
  ],
  ['make a user namespace', 'unshare -Ur true && echo NAMESPACE', says('NAMESPACE')],
  [
    'mount something over a protected path',
    'unshare -Urm sh -c "mount -t tmpfs t deep && mkdir deep/er && echo MOUNTED"',
    says('MOUNTED'),
  ],
]

/** Asks the proxy of the sandbox for a host; without one, connects as a resolver would have it. */
const ask = (host) =>
  node(
    `const n=require("node:net");if(process.env.HTTP_PROXY){const s=n.connect(3128,"127.0.0.1");s.write("CONNECT ${host}:4100 HTTP/1.1\\r\\n\\r\\n");s.on("data",()=>{}).on("error",()=>{}).on("close",()=>process.exit());setTimeout(()=>process.exit(),2000)}else n.connect(4100,"127.0.0.1").on("data",()=>{})`,
  )
const throughProxy = [
  [
    'reach this machine by a listed name that leads to it',
    ask('rebound.example.com'),
    'rebound.example.com:4100',
  ],
  ['reach it by a name below a wildcard', ask('a.wild.example.com'), '*.wild.example.com:4100'],
  ['reach it by a name with a NUL', ask(String.raw`localhost\u0000.example.com`), '*.example.com:4100'],
  ['reach it by an address that is not listed', ask('127.0.0.1'), 'rebound.example.com:4100'],
  ['reach it by a number', ask('2130706433'), 'rebound.example.com:4100'],
  ['reach it by a name that is not listed', ask('localhost'), 'rebound.example.com:4100'],
].map(([name, script, domain]) => ({ name, script, domains: [domain], succeeded: hit('object') }))

const readOnly = [
  [
    'write into the workspace in the read-only profile',
    'echo x >a.txt',
    changed('/home/user/project/a.txt', 'a\n'),
  ],
  ['delete in the workspace in the read-only profile', 'rm -rf deep', deep],
  ['write through a link in the read-only profile', 'echo x >link-victim', victim],
].map(([name, script, succeeded]) => ({ name, script, succeeded, isReadOnly: true }))

export const ATTEMPTS = [
  ...[...files, ...protectedPaths, ...network, ...processes].map(([name, script, succeeded, more]) => ({
    name,
    script,
    succeeded,
    ...more,
  })),
  ...throughProxy,
  ...readOnly,
]
