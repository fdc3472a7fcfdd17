import { spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

const MARK = 'TOOLCRIB_CLIENTS_ALONE'

/** Whether this process already runs where only loopback exists. Anything else there stops the run. */
export function isAlone() {
  if (process.env[MARK] !== '1') return false
  const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
  if (others.length > 0)
    throw new Error(`The network namespace has more than loopback: ${others.join(', ')}.`)
  return true
}

/** Runs this program again in a network namespace with loopback alone, so that no client reaches the outside. */
export function runAlone() {
  const own = process.getuid?.() === 0 ? ['--net'] : ['--map-root-user', '--net']
  const again = [process.execPath, ...process.argv.slice(1)]
  const args = [...own, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again]
  const { status, error } = spawnSync('unshare', args, {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  })
  if (error) throw new Error(`The clients run only in a network namespace of their own: ${error.message}`)
  return status ?? 1
}
