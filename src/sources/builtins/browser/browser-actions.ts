import type { Locator } from 'playwright-core'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { NativeFacts } from '../../../catalog/native.js'
import type { NewArtifact } from '../../../catalog/new-artifact.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../catalog/tool-output.js'
import { withoutUndefined } from '../../../platform/json/without-undefined.js'
import { cleanLine, cleanText } from '../../../platform/text/clean-text.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { failure } from '../../http/to-failure.js'
import type { BrowserPage, DialogAnswer } from './browser-page.js'
import type { BrowserSession } from './browser-session.js'
import { pageOf, type BrowserSessions } from './browser-sessions.js'

interface DialogInput {
  readonly dialog?: 'accept' | 'dismiss' | undefined
  readonly dialog_text?: string | undefined
}

export interface PageInput extends DialogInput {
  readonly browser_session_id: string
  readonly page_id?: string | undefined
}
export interface OpenInput extends DialogInput {
  readonly url: string
  readonly browser_session_id?: string | undefined
}
export type NavigateInput = PageInput & { readonly url: string }
export type ClickInput = PageInput & {
  readonly ref: string
  readonly button?: 'left' | 'right'
  readonly double?: boolean
}
export type TypeInput = PageInput & { readonly ref: string; readonly text: string; readonly submit?: boolean }
export type SelectInput = PageInput & { readonly ref: string; readonly values: readonly string[] }
export type WaitInput = PageInput & {
  readonly text?: string
  readonly text_gone?: string
  readonly time_ms?: number
}
export type ScreenshotInput = PageInput & { readonly ref?: string; readonly full_page?: boolean }

const ACTION_MS = 10_000
const NAVIGATION_MS = 30_000
const MAX_TITLE_CHARS = 300

/** What each tool does. */
export interface BrowserActions {
  open(input: OpenInput, context: ExecuteContext): Promise<ToolOutput>
  navigate(input: NavigateInput, context: ExecuteContext): Promise<ToolOutput>
  observe(input: PageInput, context: ExecuteContext): Promise<ToolOutput>
  click(input: ClickInput, context: ExecuteContext): Promise<ToolOutput>
  type(input: TypeInput, context: ExecuteContext): Promise<ToolOutput>
  select(input: SelectInput, context: ExecuteContext): Promise<ToolOutput>
  wait(input: WaitInput, context: ExecuteContext): Promise<ToolOutput>
  screenshot(input: ScreenshotInput, context: ExecuteContext): Promise<ToolOutput>
  close(input: PageInput, context: ExecuteContext): Promise<ToolOutput>
}

/** One call in a session. */
interface SessionCall {
  readonly session: BrowserSession
  readonly page: BrowserPage
  readonly actionId: string
  readonly context: ExecuteContext
}

export function createBrowserActions(sessions: BrowserSessions): BrowserActions {
  function start(input: PageInput, context: ExecuteContext): SessionCall {
    const session = sessions.get(input.browser_session_id, context)
    const page = pageOf(session, input.page_id)
    if (!page)
      throw refusal(
        `There is no page ${input.page_id ?? ''} in this session; the pages are ${pagesOf(session)}.`,
      )
    return { session, page, actionId: session.nextActionId(), context }
  }

  /** Acts on the page that the caller knows. */
  async function act(
    input: PageInput & { readonly ref?: string },
    context: ExecuteContext,
    action: (element: Locator, call: SessionCall) => Promise<unknown>,
  ): Promise<ToolOutput> {
    const call = start(input, context)
    const { page } = call
    page.checkHost()
    await run(call, async () => {
      const element = await elementOf(page, input.ref!)
      await page.act(() => action(element, call), { dialog: dialogOf(input), signal: context.signal })
    })
    return report(call)
  }

  async function goTo(call: SessionCall, input: DialogInput & { readonly url: string }): Promise<ToolOutput> {
    const { session, page, context } = call
    const url = new URL(input.url)
    session.visit(url)
    await run(call, () =>
      page.act(() => page.page.goto(url.href, { timeout: NAVIGATION_MS, signal: context.signal }), {
        dialog: dialogOf(input),
        signal: context.signal,
      }),
    )
    return report(call)
  }

  return {
    async open(input, context) {
      const isNew = input.browser_session_id === undefined
      const session = isNew ? await sessions.open(context) : sessions.get(input.browser_session_id!, context)
      try {
        return await sessions.during(session.id, async () => {
          const page = await session.newPage()
          return goTo({ session, page, actionId: session.nextActionId(), context }, input)
        })
      } catch (error) {
        // The caller never learns its id.
        if (isNew) await sessions.end(session)
        throw error
      }
    },
    async navigate(input, context) {
      return goTo(start(input, context), input)
    },
    async observe(input, context) {
      const call = start(input, context)
      return observe(call)
    },
    click: (input, context) =>
      act(input, context, (element) => {
        const options = { timeout: ACTION_MS, button: input.button ?? 'left', signal: context.signal }
        return input.double ? element.dblclick(options) : element.click(options)
      }),
    type: (input, context) =>
      act(input, context, async (element) => {
        const options = { timeout: ACTION_MS, signal: context.signal }
        await element.fill(input.text, options)
        if (input.submit) await element.press('Enter', options)
      }),
    select: (input, context) =>
      act(input, context, (element) =>
        element.selectOption([...input.values], { timeout: ACTION_MS, signal: context.signal }),
      ),
    async wait(input, context) {
      const call = start(input, context)
      await run(call, () => waitFor(call, input))
      return report(call)
    },
    async screenshot(input, context) {
      return screenshot(start(input, context), input)
    },
    async close(input, context) {
      const session = sessions.get(input.browser_session_id, context)
      const actionId = session.nextActionId()
      if (input.page_id !== undefined && session.pages.size > 1) return closePage(start(input, context))
      const { downloads } = await session.takeChanges(context.signal)
      const trace = await session.takeTrace()
      // Read before the session ends: its files end with it.
      const artifacts = await Promise.all(
        [...downloads.flatMap(({ artifact }) => artifact ?? []), ...(trace ? [trace] : [])].map(held),
      )
      await sessions.end(session)
      const ids = { browser_session_id: session.id, action_id: actionId }
      return toolOutput({
        structured: { ...ids, closed: true },
        native: { source: 'browser', ...ids },
        ...(artifacts.length > 0 && { artifacts }),
      })
    },
  }
}

/** Closes one of several pages. */
async function closePage(call: SessionCall): Promise<ToolOutput> {
  const { session, page, actionId } = call
  await page.page.close()
  const { artifacts, ...changes } = await changesOf(call)
  const ids = { browser_session_id: session.id, page_id: page.id, action_id: actionId }
  return toolOutput({
    structured: { ...ids, closed: true, pages: [...session.pages.keys()], ...changes },
    native: nativeOf(call),
    ...(artifacts && { artifacts }),
  })
}

async function held(artifact: NewArtifact): Promise<NewArtifact> {
  const chunks: Buffer[] = []
  for await (const chunk of artifact.content as AsyncIterable<Buffer>) chunks.push(chunk)
  return { ...artifact, content: Buffer.concat(chunks) }
}

/** The accessibility tree of the page, with a ref for each element. */
async function observe(call: SessionCall): Promise<ToolOutput> {
  const { page, context } = call
  const { signal } = context
  const snapshot = await run(call, async () => {
    const hidden = await passwordsOf(page)
    const text = await page.page.ariaSnapshot({ mode: 'ai', timeout: ACTION_MS, signal })
    hidden.forEach((value) => context.hide(value))
    return hidden.reduce((left, value) => left.replaceAll(`: ${value}`, ': ••••'), text)
  })
  await checkRules(call)
  page.remember()
  page.observationRef = `toolcrib://invocations/${context.invocationId}/output`
  const title = cleanLine(await page.page.title(), MAX_TITLE_CHARS)
  const { artifacts, ...changes } = await changesOf(call)
  const notes = Object.keys(changes).length === 0 ? [] : [`Since the last call: ${JSON.stringify(changes)}`]
  const text = [
    `Title: ${title}`,
    `URL: ${page.page.url()}`,
    `Pages: ${pagesOf(call.session)}`,
    ...notes,
    '',
    cleanText(snapshot),
  ]
  return toolOutput({
    content: [{ type: 'text', text: text.join('\n') }],
    native: nativeOf(call),
    ...(artifacts && { artifacts }),
  })
}

/** What is typed into password fields is on no list: an accessibility tree would show it. */
async function passwordsOf({ page }: BrowserPage): Promise<string[]> {
  const found = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('input[type=password]')
        .evaluateAll((fields) => fields.map((field) => String(Reflect.get(field, 'value'))))
        .catch(() => []),
    ),
  )
  return [...new Set(found.flat())].filter((value) => value !== '')
}

async function screenshot(call: SessionCall, { ref, full_page }: ScreenshotInput): Promise<ToolOutput> {
  const { page, context } = call
  const options = { type: 'png', timeout: ACTION_MS, signal: context.signal } as const
  const bytes = await run(call, async () =>
    ref === undefined
      ? page.page.screenshot({ ...options, fullPage: full_page ?? false })
      : (await elementOf(page, ref)).screenshot(options),
  )
  await checkRules(call)
  page.remember()
  const data = bytes.toString('base64')
  const block: ContentBlock = {
    type: 'image',
    data,
    media_type: 'image/png',
    size_bytes: bytes.length,
    name: 'screenshot.png',
  }
  return toolOutput({
    content: [block],
    native: nativeOf(call, { screenshot_ref: screenshotRef(context.invocationId, data) }),
  })
}

/** A larger picture has a ref of its own; a small one is a part of the output. */
function screenshotRef(invocationId: string, data: string): string {
  return `toolcrib://invocations/${invocationId}/${data.length > 4096 ? 'blocks/0' : 'output'}`
}

async function waitFor({ page, context }: SessionCall, input: WaitInput): Promise<void> {
  const { text, text_gone: gone, time_ms: timeMs } = input
  const options = { timeout: NAVIGATION_MS, signal: context.signal }
  if (timeMs !== undefined) await page.page.waitForTimeout(timeMs)
  if (text !== undefined)
    await page.page
      .getByText(text)
      .first()
      .waitFor({ ...options, state: 'visible' })
  if (gone !== undefined)
    await page.page
      .getByText(gone)
      .first()
      .waitFor({ ...options, state: 'hidden' })
}

/** The page may have gone elsewhere since the call was decided: a rule that denies the new address counts. */
async function checkRules({ page, session, context }: SessionCall): Promise<void> {
  const input = { browser_session_id: session.id, page_id: page.id }
  const found = context.caller.explain({ name: context.toolId, input })
  if (found?.behavior === 'deny')
    throw refusal(`The page is at ${page.host} now, which a rule denies: ${found.reason.message}`)
}

async function elementOf({ page }: BrowserPage, ref: string): Promise<Locator> {
  const element = page.locator(`aria-ref=${ref}`)
  if ((await element.count().catch(() => 0)) === 0)
    throw refusal(
      `The page has no element ${ref}; observe the page again, and use a ref of that observation.`,
    )
  return element
}

/** Runs a step of the browser. Its failure names what happened on the page. */
async function run<Value>(call: SessionCall, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    if (Reflect.get(Object(error), 'errorClass') !== undefined) throw error
    const { signal } = call.context
    if (signal.aborted) throw signal.reason
    throw await toFailure(error, call)
  }
}

async function toFailure(error: unknown, call: SessionCall): Promise<Error> {
  const { page, session, context } = call
  const { dialogs, blocked } = await session.takeChanges(context.signal)
  const said = errorMessage(error)
  // The first line says it; the rest is the log of Playwright.
  const first = cleanLine(said.split('\n', 1)[0]!.replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, ''), 500)
  const why = blocked.map(({ url, reason }) => `${url}: ${reason}`).join(' ')
  const seen = dialogs.map(({ type, message }) => `A ${type} said "${message}".`).join(' ')
  page.remember()
  return failure(
    [`The browser could not do it: ${first}.`.replace(/\.\.$/, '.'), why, seen].filter(Boolean).join(' '),
    {
      errorClass: 'execution_failed',
      code: 'toolcrib.execution_failed',
      native: nativeOf(call),
    },
  )
}

/** The answer of a tool that acts. */
async function report(call: SessionCall): Promise<ToolOutput> {
  const { session, page, actionId } = call
  page.remember()
  const { artifacts, ...changes } = await changesOf(call)
  const isOpen = !page.page.isClosed()
  const title = isOpen ? await page.page.title().catch(() => '') : ''
  return toolOutput({
    structured: {
      browser_session_id: session.id,
      page_id: page.id,
      action_id: actionId,
      url: page.page.url(),
      title: cleanLine(title, MAX_TITLE_CHARS),
      ...changes,
    },
    native: nativeOf(call),
    ...(artifacts && { artifacts }),
  })
}

/** What happened meanwhile, without what did not. */
async function changesOf({
  session,
  context,
}: SessionCall): Promise<Record<string, unknown> & { artifacts?: NewArtifact[] }> {
  const { dialogs, blocked, popups, downloads } = await session.takeChanges(context.signal)
  const artifacts = downloads.flatMap(({ artifact }) => artifact ?? [])
  return {
    ...(dialogs.length > 0 && {
      dialogs: dialogs.map((each) => ({ ...each, message: cleanText(each.message) })),
    }),
    ...(blocked.length > 0 && { blocked }),
    ...(popups.length > 0 && { popups }),
    ...(downloads.length > 0 && {
      downloads: downloads.map(({ name, url, size_bytes, problem }) =>
        withoutUndefined({ name, url, size_bytes, problem }),
      ),
    }),
    ...(artifacts.length > 0 && { artifacts }),
  }
}

/** The ids of the call, under the standard's names. */
function nativeOf({ session, page, actionId }: SessionCall, more: object = {}): NativeFacts {
  return {
    source: 'browser',
    browser_session_id: session.id,
    page_id: page.id,
    action_id: actionId,
    ...(page.observationRef !== undefined && { observation_ref: page.observationRef }),
    ...more,
  }
}

function dialogOf({ dialog, dialog_text: text }: DialogInput): DialogAnswer | undefined {
  return dialog === undefined ? undefined : { answer: dialog, text }
}

const pagesOf = ({ pages }: BrowserSession): string => [...pages.keys()].join(', ')

const refusal = (message: string): Error =>
  failure(message, {
    errorClass: 'execution_failed',
    code: 'toolcrib.execution_failed',
    nothingHappened: true,
    needsOtherArguments: true,
  })
