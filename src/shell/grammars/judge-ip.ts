import type { Argument } from '../parse/argument.js'
import type { Prover } from '../proof/prover.js'

// Not -batch, which reads commands from a file, and -force.
const flags = new Set(
  `-4 -6 -0 -B -M -s -stats -statistics -d -details -o -oneline -r -resolve -c -color -br -brief -j -json -p -pretty
    -t -timestamp -h -human -human-readable -iec -N -Numeric -a -all -V -Version`.split(/\s+/),
)
const values = new Set(['-f', '-family', '-n', '-netns', '-rc', '-rcvbuf', '-l', '-loops'])

const objects = new Set(
  `address addr a link l route r ro rule ru neighbour neighbor neigh n ntable maddress maddr m mroute mr netconf
    tunnel tunl tun xfrm x token tcp_metrics tcpmetrics stats st sr ioam mptcp vrf macsec l2tp fou ila addrlabel
    netns`.split(/\s+/),
)
const asks = new Set(['show', 'list', 'ls', 'lst', 'sh', 'get'])

/** `ip`, if an object is shown. Objects alone are shown too; other words change them. */
export function judgeIp(args: readonly Argument[], from: number, prover: Prover): boolean {
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]
    if (typeof arg !== 'string') return prover.fail('ip: it is not known what it would do.')
    if (!arg.startsWith('-')) break
    const name = arg.startsWith('--') ? arg.slice(1) : arg
    if (values.has(name) && typeof args[index + 1] === 'string') index += 1
    else if (!flags.has(name)) return prover.fail(`ip: with the option ${arg} it is not known to only read.`)
    // It looks up the names of addresses.
    else if (name === '-r' || name === '-resolve') prover.reachesOut()
  }
  const [object, action] = [args[index], args[index + 1]]
  if (object === 'monitor' || object === 'mon') return isPlain(args, index + 1) || refuse(args, prover)
  if (typeof object !== 'string' || !objects.has(object)) return refuse(args, prover)
  if (action === undefined) return object !== 'x' && object !== 'xfrm' ? true : refuse(args, prover)
  if (object === 'netns' && (action === 'pids' || action === 'identify')) return isPlain(args, index + 2)
  if (typeof action !== 'string' || !asks.has(action)) return refuse(args, prover)
  return true
}

function isPlain(args: readonly Argument[], from: number): boolean {
  return args.slice(from).every((arg) => typeof arg === 'string' && /^[\w.:/-]+$/.test(arg))
}

function refuse(args: readonly Argument[], prover: Prover): false {
  return prover.failAt(args, args.length, ' is not known to only read.')
}
