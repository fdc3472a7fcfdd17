import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { CribOptions, ToolResult } from 'toolcrib'
import { builtinSource, type BuiltinSettings } from '../../../../src/builtins.js'
import { eventually, until } from '../../../until.js'
import { openSet, type OpenedSet } from '../open-set.js'
import { startSite } from './start-site.js'
import { withChromium } from './with-chromium.js'

const open = (settings: BuiltinSettings<'browser'> = {}, options: CribOptions = {}): Promise<OpenedSet> =>
  openSet(builtinSource('browser', { hosts: ['127.0.0.1'], ...settings }), options)

type Ids = { browser_session_id: string; page_id: string }

const dataOf = (result: ToolResult): Record<string, unknown> & Ids => {
  expect(result.error).toBeUndefined()
  return result.structured_content as Record<string, unknown> & Ids
}
const textOf = (result: ToolResult): string =>
  (result.model_facing_content ?? []).map(({ text }) => text ?? '').join('')
const nativeOf = ({ toolcrib }: ToolResult): Record<string, string> =>
  toolcrib?.['native'] as Record<string, string>

/** The ref of the element that a line of an observation describes. */
function refOf(text: string, element: string): string {
  const line = text.split('\n').find((each) => each.includes(element))
  return /\[ref=(\w+)\]/.exec(line ?? '')?.[1] ?? `no ${element} in ${text}`
}

/** The Chromium processes that this process has started. */
function chromiumCount(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        /chrom/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) &&
        parentsOf(pid).includes(process.pid)
      )
    } catch {
      return false
    }
  }).length
}

function parentsOf(pid: string): number[] {
  const parents: number[] = []
  for (let at = pid; Number(at) > 1;) {
    const stat = readFileSync(`/proc/${at}/stat`, 'utf8')
    at = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]!
    parents.push(Number(at))
  }
  return parents
}

withChromium('browser tools', () => {
  it('fill a form, meet a dialog, download a file and take a screenshot, with native ids in the records', async () => {
    const { origin, forms } = await startSite()
    const { call, crib } = await open()
    const opened = await call('browser.open', { url: `${origin}/` })
    const { browser_session_id, page_id, url, title } = dataOf(opened)
    expect([page_id, url, title]).toEqual(['page_1', `${origin}/`, 'Shop'])
    const at = { browser_session_id, page_id }

    const seen = await call('browser.observe', at)
    expect(textOf(seen)).toContain('Free delivery')
    const ref = (element: string): string => refOf(textOf(seen), element)
    const typed = await call('browser.type', { ...at, ref: ref('textbox "Name"'), text: 'Ada' })
    await call('browser.type', { ...at, ref: ref('textbox "Key"'), text: 'open-sesame-7' })
    dataOf(await call('browser.select', { ...at, ref: ref('combobox "Kind"'), values: ['Black'] }))

    const again = textOf(await call('browser.observe', at))
    expect(again).toContain('Ada')
    expect(again).not.toContain('open-sesame-7')

    const dismissed = dataOf(await call('browser.click', { ...at, ref: ref('button "Order"') }))
    const dialog = { page_id, type: 'confirm', message: 'Order for real?' }
    expect(dismissed).toMatchObject({ title: 'Shop', dialogs: [{ ...dialog, answer: 'dismiss' }] })
    expect(forms).toEqual([])

    let download = await call('browser.click', { ...at, ref: ref('link "Invoice"') })
    // Where the machine is slow, a file arrives after the click has ended.
    await until(async () => {
      if (download.artifact_refs === undefined) download = await call('browser.wait', { ...at, time_ms: 50 })
      return download.artifact_refs !== undefined
    }, 'a download')
    expect(dataOf(download)).toMatchObject({
      downloads: [{ name: expect.stringContaining('invoice.csv'), size_bytes: 6 }],
    })
    expect(download.artifact_refs).toHaveLength(1)
    const { uri } = download.artifact_refs![0] as { uri: string }
    expect(JSON.stringify(await crib.read(uri))).toContain('tea,3')

    const screenshot = await call('browser.screenshot', at)
    expect(screenshot.content).toMatchObject([{ type: 'image', media_type: 'image/png' }])
    expect(await crib.read(nativeOf(screenshot)['screenshot_ref']!)).toMatchObject({
      kind: 'binary',
      base64: expect.stringMatching(/^iVBOR/),
    })

    const accepted = dataOf(
      await call('browser.click', { ...at, ref: ref('button "Order"'), dialog: 'accept' }),
    )
    expect(accepted).toMatchObject({ dialogs: [{ ...dialog, answer: 'accept' }] })
    const ordered = dataOf(await call('browser.wait', { ...at, text: 'Ordered' }))
    expect(ordered).toMatchObject({ title: 'Thanks', url: `${origin}/order` })
    expect(forms).toEqual(['name=Ada&key=open-sesame-7&kind=b'])

    expect(nativeOf(opened)).toEqual({
      source: 'browser',
      ...at,
      action_id: `${browser_session_id}.action_1`,
    })
    expect(nativeOf(typed)).toEqual({
      source: 'browser',
      ...at,
      action_id: `${browser_session_id}.action_3`,
      observation_ref: `toolcrib://invocations/${seen.invocation_id}/output`,
    })
    expect(await crib.resolveRef(nativeOf(typed)['observation_ref']!)).toBeDefined()
    dataOf(await call('browser.close', at))
    expect(await eventually(() => chromiumCount() === 0)).toBe(true)
  })

  it('tells what to do where a ref or a session is gone', async () => {
    const { origin } = await startSite()
    const { call } = await open()
    const at = dataOf(await call('browser.open', { url: origin }))
    const ids = { browser_session_id: at.browser_session_id }
    expect((await call('browser.click', { ...ids, ref: 'e99' })).error?.message).toContain(
      'observe the page again',
    )
    expect((await call('browser.observe', { ...ids, page_id: 'page_7' })).error?.message).toContain(
      'the pages are page_1',
    )
    await call('browser.close', ids)
    expect((await call('browser.observe', ids)).error?.message).toContain('no such browser session')
    expect((await call('browser.open', { url: 'file:///etc/passwd' })).error?.error_class).toBe(
      'invalid_arguments',
    )
  })

  it('keep the pages of one caller from another', async () => {
    const { origin } = await startSite()
    const { call, crib } = await open()
    const { browser_session_id } = dataOf(await call('browser.open', { url: origin }))
    const other = await crib.surface({ actor: 'somebody_else' })
    const result = await crib.call(other, { name: 'browser.observe', input: { browser_session_id } })
    expect(result.error?.message).toContain('no such browser session')
  })

  it('reach this machine only where the settings name the host, whatever the page asks for', async () => {
    const inner = await startSite({ '/secret': 'inner secret' })
    const inside = `http://localhost:${inner.port}/secret`
    const outer = await startSite({
      '/attack': `<title>Attack</title><p id=out>nothing</p><img src="${inside}?img"><iframe src="${inside}?frame"></iframe>
        <script>
          const done = (text) => (document.getElementById('out').textContent += ' ' + text)
          fetch('${inside}?fetch', { mode: 'no-cors' }).then(() => done('fetched'), () => done('refused'))
          try { new WebSocket('${inside.replace('http', 'ws')}?ws') } catch {}
          navigator.sendBeacon('${inside}?beacon')
        </script>`,
      '/redirect': (_, response) => void response.writeHead(302, { location: `${inside}?redirect` }).end(),
    })
    const { call } = await open()
    const opened = dataOf(await call('browser.open', { url: `${outer.origin}/attack` }))
    const seen = textOf(
      await call('browser.observe', opened.page_id ? { browser_session_id: opened.browser_session_id } : {}),
    )
    expect(seen).not.toContain('inner secret')
    const failed = await call('browser.open', { url: `${outer.origin}/redirect` })
    expect(failed.error?.message).toContain('call browser.navigate with the URL')
    for (const url of [
      inside,
      `http://[::1]:${inner.port}/`,
      `http://2130706433:${inner.port}/`.replace('2130706433', '127.0.0.2'),
    ])
      expect((await call('browser.open', { url })).is_error).toBe(true)
    expect(inner.requests).toEqual([])
  })

  it('stay on hosts that were opened, unless a rule allows another one', async () => {
    const other = await startSite({ '/there': '<title>There</title>' })
    const there = `http://localhost:${other.port}/there`
    const site = await startSite({
      '/links': `<title>Links</title><a href="${there}">Go</a><a target=_blank href="${there}?pop">Pop</a>`,
    })
    const settings = { hosts: ['127.0.0.1', 'localhost'] }
    const rules = ['browser.open', 'browser.click', 'browser.observe']
    const strict = await open(settings, { permission: { allow: rules } })
    /** Clicks a link, and waits until the session tells what came of it. */
    const follow = async ({ call }: OpenedSet, name: string, tells: 'blocked' | 'There'): Promise<object> => {
      const { browser_session_id } = dataOf(await call('browser.open', { url: `${site.origin}/links` }))
      const text = textOf(await call('browser.observe', { browser_session_id }))
      let data = dataOf(
        await call('browser.click', { browser_session_id, ref: refOf(text, `link "${name}"`) }),
      )
      await until(async () => {
        const isTold = tells === 'blocked' ? 'blocked' in data : data['title'] === tells
        if (!isTold) data = dataOf(await call('browser.wait', { browser_session_id, time_ms: 50 }))
        return isTold
      }, `${name} leads to ${tells}`)
      return data
    }
    expect(await follow(strict, 'Go', 'blocked')).toMatchObject({ blocked: [{ url: there }] })
    expect(other.requests).toEqual([])
    const free = await open(settings, {
      permission: { allow: [...rules, 'browser.navigate(domain:localhost)'] },
    })
    expect(await follow(free, 'Go', 'There')).toMatchObject({ url: there, title: 'There' })
    const count = other.requests.length
    const denied = await open(settings, {
      permission: { allow: rules, deny: ['WebFetch(domain:localhost)'] },
    })
    await follow(denied, 'Pop', 'blocked')
    expect(other.requests).toHaveLength(count)
  })

  it('are judged by the address that the page is at', async () => {
    const { origin, port } = await startSite()
    const { call } = await open(
      { hosts: ['127.0.0.1', 'localhost'] },
      {
        permission: {
          allow: ['local.browser.*'],
          deny: ['browser.click(domain:localhost)', 'browser.observe(domain:localhost)'],
        },
      },
    )
    const here = dataOf(await call('browser.open', { url: origin }))
    expect((await call('browser.observe', { browser_session_id: here.browser_session_id })).status).toBe(
      'succeeded',
    )
    const there = dataOf(await call('browser.open', { url: `http://localhost:${port}/` }))
    const ids = { browser_session_id: there.browser_session_id }
    expect((await call('browser.observe', ids)).status).toBe('denied')
    expect((await call('browser.click', { ...ids, ref: 'e1' })).status).toBe('denied')
  })

  it('ask before they act, and not before they look', async () => {
    const { origin } = await startSite()
    const { call } = await open({}, { permission: { allow: ['browser.open'] } })
    const { browser_session_id } = dataOf(await call('browser.open', { url: origin }))
    expect((await call('browser.observe', { browser_session_id })).status).toBe('succeeded')
    expect((await call('browser.click', { browser_session_id, ref: 'e1' })).error?.error_class).toBe(
      'approval_rejected',
    )
  })

  it('keep a trace as an artifact where the settings say so', async () => {
    const { origin } = await startSite()
    const { call } = await open({ trace: true })
    const { browser_session_id } = dataOf(await call('browser.open', { url: origin }))
    const closed = await call('browser.close', { browser_session_id })
    expect(closed.artifact_refs).toMatchObject([{ name: 'trace.zip', media_type: 'application/zip' }])
  })

  it('end with their crib, and without calls after a while', async () => {
    const { origin } = await startSite()
    const { call, crib } = await open()
    dataOf(await call('browser.open', { url: origin }))
    expect(chromiumCount()).toBeGreaterThan(0)
    await crib.close({ graceMs: 100 })
    expect(await eventually(() => chromiumCount() === 0)).toBe(true)
    const idle = await open({ idleMs: 50 })
    dataOf(await idle.call('browser.open', { url: origin }))
    expect(await eventually(() => chromiumCount() === 0)).toBe(true)
  })
})

it('are blocked on the surface without a browser, with what to install', async () => {
  const { surface } = await openSet(builtinSource('browser', {}, { env: { PATH: '/nowhere' } }))
  const { blocked_tools: blocked } = surface.record
  expect(blocked).toHaveLength(9)
  expect(JSON.stringify(blocked)).toContain('apt install chromium')
})
