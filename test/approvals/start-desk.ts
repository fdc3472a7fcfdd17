import { existsSync, readFileSync } from 'node:fs'
import { startChild, type Child } from '../storage/run-child.js'

const script = new URL('./children/desk.mjs', import.meta.url)

export interface DeskOptions {
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
}

export type Said = Record<string, unknown>

export interface Desk {
  readonly child: Child
  /** Tells it what to do. */
  tell(what: Said): void
  /** The next thing it says that has this key; what it said before and was not asked for is kept. */
  hear(key: string): Promise<Said>
  /** Does it, and waits for the answer with this key. */
  ask(what: Said, key: string): Promise<Said>
  kill(): Promise<void>
  close(): Promise<void>
}

/** A crib with one tool in a process of its own. */
export async function startDesk(options: DeskOptions): Promise<Desk> {
  const child = startChild(script, [JSON.stringify(options)])
  const heard: Said[] = []
  const waiting: { key: string; take: (said: Said) => void }[] = []
  let rest = ''
  child.process.stdout!.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const said = JSON.parse(line) as Said
      if ('problem' in said) throw new Error(String(said['problem']))
      const index = waiting.findIndex(({ key }) => key in said)
      if (index === -1) heard.push(said)
      else waiting.splice(index, 1)[0]!.take(said)
    }
  })
  const desk: Desk = {
    child,
    tell: (what) => child.say(JSON.stringify(what)),
    hear(key) {
      const index = heard.findIndex((said) => key in said)
      if (index !== -1) return Promise.resolve(heard.splice(index, 1)[0]!)
      return new Promise((resolve, reject) => {
        waiting.push({ key, take: resolve })
        void child.end.then(({ stderr }) => reject(new Error(`It ended without "${key}": ${stderr}`)))
      })
    },
    ask(what, key) {
      desk.tell(what)
      return desk.hear(key)
    },
    async kill() {
      child.kill('SIGKILL')
      await child.end
    },
    async close() {
      desk.tell({ do: 'close' })
      await child.end
    },
  }
  await desk.hear('open')
  return desk
}

/** Starts a call that waits. */
export async function callAndWait(
  desk: Desk,
  input: unknown,
): Promise<{ approvalId: string; invocationId: string }> {
  const { waiting, invocation } = await desk.ask({ do: 'call', input }, 'waiting')
  return { approvalId: String(waiting), invocationId: String(invocation) }
}

export interface Effect {
  pid: number
  invocationId: string
  input: Record<string, unknown>
}

/** What the tool really did, in whichever process. */
export function effectsIn(file: string): Effect[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Effect)
}
