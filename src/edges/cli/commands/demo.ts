import type { Crib } from '../../../crib/crib.js'
import type { Surface } from '../../../crib/surfaces/surface.js'
import { userName } from '../../../platform/processes/user-name.js'
import { responderFor } from '../approvals/responder-for.js'
import { approverFor } from '../approvals/approver-for.js'
import { askPerson } from '../terminal/ask-person.js'
import { allOf } from '../program/all-of.js'
import type { ExitCode, Given } from '../program/command.js'
import { contentText } from '../terminal/content-text.js'
import { fitText, wrapText } from '../terminal/fit-text.js'
import { loadDemoTools } from '../program/load-demo-tools.js'
import { parsePairs } from '../input/parse-pairs.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { isUsageProblem } from '../program/usage-problem.js'
import { splitWords } from '../input/split-words.js'
import { storyLines } from '../record/story-lines.js'
import type { Terminal } from '../terminal/terminal.js'
import { watchCall } from '../calls/watch-call.js'

interface Stop {
  line: string
  shows: string
}

/** The menu, and the tour for a session without a terminal. */
const stops: readonly Stop[] = [
  { line: 'math.add a=1 b=2', shows: 'a plain call' },
  { line: 'text.count text="  to be or not to be "', shows: 'the schema changes the input' },
  { line: 'math.add a=one b=2', shows: 'the schema refuses the input' },
  { line: 'notes.write path=hello.md text="hello"', shows: 'writing needs approval' },
  { line: 'slow.count to=3', shows: 'progress; Ctrl-C cancels it' },
  { line: 'vault.login user=ada password=hunter2', shows: 'a password is never recorded' },
]

const NEXT = 'What next: put a tool of your own into a toolcrib.yaml, then "toolcrib tools".'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const isMenu = terminal.isInteractive && options.json !== true
  const approver = isMenu ? approverFor(terminal, { yes: false, hasSession: true }) : undefined
  const responder = isMenu ? responderFor(terminal) : undefined
  const workshop = await loadDemoTools({
    actor: userName(),
    ...(approver && { approver }),
    ...(responder && { responder }),
  })
  const { crib } = workshop
  try {
    const surface = await crib.surface({ scope: 'session', reason: 'toolcrib demo' })
    if (isMenu) await menu({ crib, surface, terminal })
    else await tour({ crib, surface, terminal }, options.json === true)
    if (options.json !== true) terminal.print(NEXT)
    return 0
  } finally {
    await workshop.close()
  }
}

interface Demo {
  crib: Crib
  surface: Surface
  terminal: Terminal
}

async function tour(demo: Demo, asJson: boolean): Promise<void> {
  const { terminal } = demo
  for (const { line, shows } of stops) {
    if (terminal.unread.aborted) return
    if (asJson) {
      const id = await callLine(demo, line)
      terminal.printJson({
        ...(await demo.crib.story(id)),
        events: await allOf(demo.crib.events({ invocation: id })),
      })
      continue
    }
    terminal.print(terminal.style.dim(`# ${shows}`))
    terminal.print(terminal.style.bold(`$ toolcrib call ${line}`))
    await printStory(demo, await callLine(demo, line))
    terminal.print('')
  }
}

async function menu(demo: Demo): Promise<void> {
  const { terminal } = demo
  terminal.print(terminal.style.bold('A small workshop of tools. Nothing that happens here is kept.'))
  showMenu(terminal)
  for (;;) {
    const answer = (
      await askPerson('\nNumber, or tool key=value (Enter: menu, q: leave) > ', { terminal })
    )?.trim()
    if (answer === undefined || /^(q|quit|exit)$/i.test(answer)) return
    if (answer === '') {
      showMenu(terminal)
      continue
    }
    const stop = /^\d+$/.test(answer) ? stops[Number(answer) - 1] : { line: answer }
    if (!stop) {
      terminal.print(`There are ${stops.length} entries.`)
      continue
    }
    try {
      terminal.print(terminal.style.dim(`$ toolcrib call ${printable(stop.line)}`))
      await printStory(demo, await callLine(demo, stop.line))
    } catch (error) {
      if (!isUsageProblem(error)) throw error
      terminal.print(printable(error.message))
    }
  }
}

function showMenu({ print, style }: Terminal): void {
  stops.forEach(({ line, shows }, index) => {
    print(`  ${style.bold(String(index + 1))}  ${fitText(line, 42)}  ${style.dim(shows)}`)
  })
}

/** Runs the typed call through the real pipeline, and returns its id. */
async function callLine({ crib, surface, terminal }: Demo, line: string): Promise<string> {
  const [name = '', ...pairs] = splitWords(line)
  const input = parsePairs(pairs, crib.tool(name)?.draft.input.modelSchema ?? {})
  const call = crib.call(surface, { name, input })
  await watchCall(call, { terminal, isVerbose: false })
  return call.invocationId
}

async function printStory({ crib, terminal }: Demo, id: string): Promise<void> {
  const story = (await crib.story(id))!
  const { result } = story
  if (result)
    for (const line of wrapText(oneLine(contentText(result)), terminal.columns)) terminal.print(line)
  for (const line of storyLines(story, await allOf(crib.events({ invocation: id })), terminal))
    terminal.print(line)
}
