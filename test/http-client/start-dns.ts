import { createSocket } from 'node:dgram'
import { promises, type LookupAddress } from 'node:dns'
import type { AddressInfo } from 'node:net'
import type { ResolveName } from '../../src/http-client/address-rules.js'

/** The answers to one question: addresses of either family, and `name` for another name. */
export type Answers = readonly string[]

export interface DnsServer {
  /** Answers by name. A function gives the answers of the next question, from 0 on. */
  readonly zone: Map<string, Answers | ((question: number) => Answers)>
  /** The questions so far, as `name type`. */
  readonly questions: string[]
  readonly resolveName: ResolveName
  stop(): Promise<void>
}

const A = 1
const CNAME = 5
const AAAA = 28

/** A DNS server on this machine, and a resolver that asks it and nobody else. */
export async function startDns(): Promise<DnsServer> {
  const zone: DnsServer['zone'] = new Map()
  const counts = new Map<string, number>()
  const questions: string[] = []
  const socket = createSocket('udp4', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message)
    const key = `${name} ${type}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    questions.push(key)
    const entry = zone.get(name)
    const answers = typeof entry === 'function' ? entry(count) : entry
    socket.send(writeResponse(message.subarray(0, end), { type, answers }), port, address)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  const resolver = new promises.Resolver({ timeout: 2000, tries: 2 })
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`])

  const resolveName: ResolveName = (hostname, _, done) => {
    const ask = (family: 4 | 6): Promise<LookupAddress[]> =>
      (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname)).then(
        (found) => found.map((address) => ({ address, family })),
        () => [],
      )
    void Promise.all([ask(4), ask(6)]).then((found) => {
      const all = found.flat()
      if (all.length > 0) done(null, all)
      else done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
    })
  }
  return {
    zone,
    questions,
    resolveName,
    stop: () => new Promise((closed) => socket.close(() => closed())),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += 1 + message[at]!
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function writeResponse(
  question: Buffer,
  { type, answers }: { type: number; answers: Answers | undefined },
): Buffer {
  // A pointer to the question's name; after a record with another name, that name.
  let owner: Buffer = Buffer.from([0xc0, 0x0c])
  const records = (answers ?? []).flatMap((answer) => {
    const record = toRecord(answer, { type, owner })
    if (isName(answer)) owner = toName(answer)
    return record ?? []
  })
  const head = Buffer.from(question)
  // A response with recursion; without a name, that there is none.
  head.writeUInt16BE(answers ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  return Buffer.concat([head, ...records])
}

const isName = (answer: string): boolean => !/^[\d.]+$/.test(answer) && !answer.includes(':')

/** A record that is valid for no time at all. */
function toRecord(answer: string, { type, owner }: { type: number; owner: Buffer }): Buffer | undefined {
  const kind = isName(answer) ? CNAME : answer.includes(':') ? AAAA : A
  if (kind !== CNAME && kind !== type) return undefined
  const data = kind === A ? toIpv4(answer) : kind === AAAA ? toIpv6(answer) : toName(answer)
  const head = Buffer.alloc(10)
  head.writeUInt16BE(kind, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

const toIpv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function toIpv6(address: string): Buffer {
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((each) => parseInt(each, 16))
  const [first, last] = [groups(before), groups(after)]
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

const toName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1')),
    Buffer.alloc(1),
  ])
