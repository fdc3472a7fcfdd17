import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { freePort, run, serverFolder, startServer } from './own-server.mjs'

export const PASSWORD = 'canary-of-mariadb-8c2e'

const PATHS = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld', '/usr/libexec/mariadbd', '/usr/local/bin/mariadbd']

/** Why MariaDB cannot be started here; undefined where it can. */
export function whyNoMariadb() {
  if (!PATHS.some(existsSync)) return 'MariaDB is not installed (apt-get install mariadb-server)'
  return spawnSync('mariadb-install-db', ['--help']).error ? 'mariadb-install-db is not installed' : undefined
}

/** MariaDB of the system. */
export async function startMariadb() {
  const { folder, remove } = serverFolder('mariadb')
  try {
    const data = join(folder, 'data')
    run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ])
    const port = await freePort()
    const server = await startServer(
      PATHS.find(existsSync),
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'sock')}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-buffer-pool-size=16M',
        '--skip-name-resolve',
        '--character-set-server=utf8mb4',
        '--collation-server=utf8mb4_bin',
        '--max-allowed-packet=64M',
      ],
      { isReady: async () => (await asRoot(folder)).end() },
    )
    const root = await asRoot(folder)
    await root.query(`CREATE DATABASE shop`)
    await root.query(`CREATE USER owner@'%' IDENTIFIED BY '${PASSWORD}'`)
    await root.query(`GRANT ALL ON *.* TO owner@'%' WITH GRANT OPTION`)
    await root.end()
    return {
      port,
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

const asRoot = (folder) => mysql.createConnection({ socketPath: join(folder, 'sock'), user: 'root' })
