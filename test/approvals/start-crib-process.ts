import { existsSync, readFileSync } from 'node:fs'
import { startChild, type Child } from '../storage/run-child.js'

const script = new URL('./children/crib-process.mjs', import.meta.url)

export interface CribProcessOptions {
  path: string
  effects: string
  hasTool?: boolean
  description?: string
  reviewers?: string[]
  actor?: string
  verdict?: 'ask' | 'allow' | 'deny'
  policyRevision?: string
  expiresMs?: number
  claim?: boolean
  /** The file to which announcements of `desk.review` go. */
  announce?: string
  diesAtAnnounce?: boolean
}

export type Message = Record<string, unknown>

export interface CribProcess {
  readonly child: Child
  /** Sends it a command. */
  send(what: Message): void
  /** The next message with this key; earlier messages that were not awaited are kept. */
  receive(key: string): Promise<Message>
  /** Sends a command, and waits for the message with this key. */
  ask(what: Message, key: string): Promise<Message>
  kill(): Promise<void>
  close(): Promise<void>
}

/** A crib with one tool in a separate process. */
export async function startCribProcess(options: CribProcessOptions): Promise<CribProcess> {
  const child = startChild(script, [JSON.stringify(options)])
  const received: Message[] = []
  const waiting: { key: string; take: (message: Message) => void }[] = []
  let rest = ''
  child.process.stdout!.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as Message
      if ('problem' in message) throw new Error(String(message['problem']))
      const index = waiting.findIndex(({ key }) => key in message)
      if (index === -1) received.push(message)
      else waiting.splice(index, 1)[0]!.take(message)
    }
  })
  const cribProcess: CribProcess = {
    child,
    send: (what) => child.say(JSON.stringify(what)),
    receive(key) {
      const index = received.findIndex((message) => key in message)
      if (index !== -1) return Promise.resolve(received.splice(index, 1)[0]!)
      return new Promise((resolve, reject) => {
        waiting.push({ key, take: resolve })
        void child.end.then(({ stderr }) => reject(new Error(`It ended without "${key}": ${stderr}`)))
      })
    },
    ask(what, key) {
      cribProcess.send(what)
      return cribProcess.receive(key)
    },
    async kill() {
      child.kill('SIGKILL')
      await child.end
    },
    async close() {
      cribProcess.send({ do: 'close' })
      await child.end
    },
  }
  await cribProcess.receive('open')
  return cribProcess
}

/** Starts a call that waits. */
export async function callAndWait(
  cribProcess: CribProcess,
  input: unknown,
  name?: string,
): Promise<{ approvalId: string; invocationId: string }> {
  const { waiting, invocation } = await cribProcess.ask({ do: 'call', input, name }, 'waiting')
  return { approvalId: String(waiting), invocationId: String(invocation) }
}

export interface Effect {
  pid: number
  invocationId: string
  input: Record<string, unknown>
}

/** The effects of the tool, in all processes. */
export function effectsIn(file: string): Effect[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Effect)
}
