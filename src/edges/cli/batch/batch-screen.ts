import type { Call } from '../../../crib/calls/call-handle.js'
import { batchLines } from './batch-lines.js'
import { verboseLine } from './call-line.js'
import { newCallView, openNumbers, viewAfter, type CallView } from './call-view.js'
import { startLiveLines, type LiveLines } from '../terminal/live-lines.js'
import type { ListedCall } from './parse-calls.js'
import { createQuestionQueue, type QuestionQueue } from '../approvals/question-queue.js'
import type { Terminal } from '../terminal/terminal.js'

/** What the terminal shows of a batch while it runs. */
export interface BatchScreen {
  /** The current state of each call. */
  readonly views: readonly CallView[]
  /** Whether there are live lines: lasting output is printed after them. */
  readonly isLive: boolean
  /** Questions to the person. While one is open, the live lines pause. */
  readonly questions: QuestionQueue
  start(): void
  /** Follows one call to its end. */
  follow(call: Call, index: number): Promise<void>
  end(): void
}

export function createBatchScreen(
  terminal: Terminal,
  { calls, isVerbose }: { calls: readonly ListedCall[]; isVerbose: boolean },
): BatchScreen {
  const isLive = terminal.canRedraw && !isVerbose
  const views = calls.map(({ call, after }, index) =>
    newCallView({ number: index + 1, name: call.name, after: after.map((place) => place + 1) }),
  )
  let live: LiveLines | undefined
  const questions = createQuestionQueue({ onFirst: () => live?.pause(), onLast: () => live?.resume() })

  const linesAt = (tick: number): string[] =>
    batchLines(views, { room: terminal.room(), tick, now: Date.now(), style: terminal.sayStyle })

  return {
    views,
    isLive,
    questions,
    start() {
      if (isLive) live = startLiveLines(terminal, linesAt)
    },
    async follow(call, index) {
      for await (const event of call) {
        const before = views[index]!
        const view = (views[index] = viewAfter(before, event))
        const line = isVerbose ? verboseLine(before, view, openNumbers(views)) : undefined
        if (line === undefined) continue
        await questions.free()
        terminal.say(line)
      }
    },
    end() {
      live?.end()
      live = undefined
    },
  }
}
