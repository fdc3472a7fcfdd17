import { expect, it, onTestFinished } from 'vitest'
import { defineTool } from '../../src/index.js'
import type { ServedConfig } from '../../src/host/serving/served-config.js'
import type { UntrustedNotice } from '../../src/host/serving/untrusted-notice.js'
import type { SourceHealth } from '../../src/host/sources/source-health.js'
import { seriousProblems } from './support/open-console.js'
import { NARROW, pageWidth, withConsole } from './support/with-console.js'

const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="alert(1)">\u202E${'W'.repeat(300)}`
const facts = { isReadOnly: true, isOpenWorld: false, isDestructive: false } as const

const tools = [
  defineTool({ namespace: 'math', name: 'add', description: 'Add.', ...facts, execute: async () => 3 }),
  defineTool({
    namespace: 'math',
    name: 'fail',
    description: 'Fail.',
    ...facts,
    execute: async () => {
      throw new Error('the disk is full')
    },
  }),
]

const clock = {
  name: 'clock',
  list: async () => [
    defineTool({ namespace: 'clock', name: 'now', description: 'Now.', ...facts, execute: async () => 12 }),
  ],
}

const sources: SourceHealth[] = [
  { name: 'files', entry: 'files', kind: 'builtins', state: 'ready', tools: 9, calls: 40, errors: 0 },
  {
    name: 'pets',
    entry: HOSTILE,
    kind: 'openapi',
    state: 'failed',
    problem: `The document cannot be read: ${HOSTILE}; run "toolcrib servers show pets".`,
    tools: 0,
    restarts: 2,
    calls: 4,
    errors: 1,
    latency_ms: { p50: 12, p95: 1_400 },
    last_error: {
      at: new Date().toISOString(),
      invocation_id: 'inv_1',
      error_class: 'timeout',
      message: HOSTILE,
    },
    requires_setup: [{ tools: 3, message: 'The key is missing; run "toolcrib secrets set pets".' }],
  },
]

let untrusted: UntrustedNotice | undefined

withConsole(
  'overview',
  {
    crib: { tools, sources: [clock] },
    api: {
      sourceHealth: async () => (untrusted ? [] : sources),
      served: { untrusted: () => untrusted } as ServedConfig,
    },
  },
  (console) => {
    it('teaches while there are no calls', async () => {
      const page = await console.open('/overview')
      await page.getByText('No call ended in this period').waitFor()
    })

    it('shows numbers that lead to their calls, and plots that the keyboard reads', async () => {
      const surface = await console.crib.surface({ actor: 'agent:coder' })
      for (let at = 0; at < 3; at++) await console.crib.call(surface, { name: 'math.add', input: {} })
      await console.crib.call(surface, { name: 'math.fail', input: {} })
      const page = await console.open('/overview?range=1h')
      const total = (label: string) =>
        page.getByRole('list', { name: 'Totals' }).getByRole('link', { name: label })
      await total('Calls 4').waitFor()
      expect(await total('Errors').textContent()).toBe('Errors125 % of calls')
      const plot = page.getByRole('slider', { name: 'Calls: values by time', exact: true })
      await plot.focus()
      expect(await plot.getAttribute('aria-valuetext')).toMatch(/: calls [04]$/)
      await page.keyboard.press('Home')
      expect(await plot.getAttribute('aria-valuetext')).toMatch(/: calls 0$/)
      expect(await plot.getAttribute('aria-valuenow')).toBe('0')
      await page.getByText('As a table: Calls').click()
      await page.getByLabel('Calls as a table').locator('tbody tr').nth(50).waitFor()
      expect(await seriousProblems(page)).toEqual([])
      await total('Errors').click()
      await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'math.fail' }).waitFor()
      expect(await page.getByRole('link', { name: 'math.add' }).count()).toBe(0)
    })

    it('leads from the numbers of a tool and of a source to their calls', async () => {
      const surface = await console.crib.surface({ actor: 'agent:coder' })
      await console.crib.call(surface, { name: 'clock.now', input: {} })
      const page = await console.open('/overview?range=1h')
      const follow = async (section: string, title: string): Promise<URLSearchParams> => {
        await page.locator('section', { hasText: section }).getByTitle(title, { exact: true }).click()
        await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
        await page.getByRole('table', { name: 'Calls' }).getByRole('link').first().waitFor()
        return new URL(page.url()).searchParams
      }
      const listed = () => page.getByRole('table', { name: 'Calls' }).getByRole('link').allTextContents()
      expect((await follow('Most called tools', 'The calls of math.add')).get('tool')).toBe('math.add')
      expect(await listed()).toEqual(['math.add', 'math.add', 'math.add'])
      await page.goBack()
      const query = await follow('Most called sources', 'The calls of clock')
      expect(query.get('source')).toBe('clock')
      expect(Date.parse(query.get('since')!)).toBeLessThan(Date.now())
      expect(await listed()).toEqual(['clock.now'])
      expect(await page.getByLabel('Source', { exact: true }).inputValue()).toBe('clock')
      await page.goBack()
      await follow('Most called sources', 'The errors of function')
      expect(await listed()).toEqual(['math.fail'])
      expect(await seriousProblems(page)).toEqual([])
      await page.getByLabel('Source', { exact: true }).fill('')
      await page.getByLabel('Source', { exact: true }).waitFor({ state: 'detached' })
    })

    it('fits a narrow screen, in the dark too', async () => {
      const page = await console.open('/live', { ...NARROW, colorScheme: 'dark' })
      await page.route(/\/statistics\?/, async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as { points: { person_wait_ms_p95?: number }[] }
        for (const point of json.points) point.person_wait_ms_p95 = 80_000
        await route.fulfill({ response, json })
      })
      await page.goto(new URL('/overview', page.url()).href)
      await page.getByText('Most called tools').waitFor()
      await page.getByText('1 min 30 s').waitFor()
      const cut = `[...document.querySelectorAll('.plot-axes text')].filter((label) => label.getBBox().x < 0).length`
      expect(await page.evaluate(cut)).toBe(0)
      expect(await pageWidth(page)).toBe(390)
      // The page scrolls below its header, and the window does not scroll as well.
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
      expect(await seriousProblems(page)).toEqual([])
    })

    it('says where sources and tools are missing because the config is not trusted, and what to run', async () => {
      untrusted = { message: 'Nothing of it is opened.', command: 'toolcrib trust --config a.yaml' }
      onTestFinished(() => (untrusted = undefined))
      for (const path of ['/sources', '/catalog']) {
        const page = await console.open(path)
        await page
          .getByText('Nothing of it is opened. Read what it names and trust it in a terminal:')
          .waitFor()
        await page.getByText('toolcrib trust --config a.yaml').waitFor()
        expect(await page.getByText('No sources yet').count()).toBe(0)
        expect(await seriousProblems(page)).toEqual([])
      }
    })

    it('shows sources that fail first, what they miss and the command that helps, as text', async () => {
      const page = await console.open('/sources', NARROW)
      await page.getByText('2 sources, 1 failed, 1 need setup').waitFor()
      expect(await page.locator('.source h2').allTextContents()).toEqual(['pets', 'files'])
      expect(await page.locator('.inline-command').allTextContents()).toEqual([
        'toolcrib servers show pets',
        'toolcrib secrets set pets',
      ])
      expect(await page.getByRole('link', { name: 'timeout' }).getAttribute('href')).toBe('/calls/inv_1')
      expect(await page.title()).not.toContain('owned')
      expect(await page.locator('main script, main img').count()).toBe(0)
      expect(await page.locator('main').textContent()).not.toContain('\u202E')
      expect(await pageWidth(page)).toBe(390)
      expect(await seriousProblems(page)).toEqual([])
    })
  },
)
