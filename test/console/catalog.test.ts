import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { openConsole, seriousProblems } from './support/open-console.js'

const config = `builtins:
  files: { roots: [.] }
mcpServers:
  shop: { command: '${process.execPath}', args: ['${join(root, 'test/console/support/shop-server.mjs')}'] }
permission:
  allow: [mcp.shop.restock]
  deny: [delete_file]
serve:
  surfaces:
    reader: { mode: plan }
`

/** Requests for tools after the first page of them. */
const LATER_PAGES = /\/api\/v1\/tools\?.*cursor=/

withChromium('the catalog', () => {
  it('finds a tool by what it does, shows its schema as fields, and says why a surface does not show it', async () => {
    const console = await openConsole(config)
    const page = await console.openAsOwner('/catalog')
    const table = page.getByRole('table', { name: 'Tools' })
    await table.getByRole('link', { name: 'mcp.shop.price' }).waitFor()
    const names = () => table.getByRole('link').allTextContents()
    expect((await names()).length).toBeGreaterThan(8)
    await page.getByRole('combobox', { name: 'facts' }).selectOption('can destroy')
    expect(await names()).toContain('local.files.delete_file')
    expect(await names()).not.toContain('local.files.read_file')
    await page.getByRole('link', { name: 'Catalog' }).click()
    const held: Route[] = []
    await page.route(/\/api\/v1\/search\?/, (route) => void held.push(route))
    await page.keyboard.press('/')
    await page.keyboard.type('how much does an article cost')
    await expect.poll(() => held.length).toBe(1)
    expect((await names()).length).toBeGreaterThan(8)
    await held[0]!.continue()
    await page.unrouteAll()
    await expect.poll(async () => (await names())[0]).toBe('mcp.shop.price')
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('Tab')
    await table.getByRole('link', { name: 'mcp.shop.price' }).press('Enter')
    const input = page.getByRole('region', { name: 'Input' })
    await input.waitFor()
    expect(await input.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^article\s+text\s+required\s+at least 2 characters\s+Its number in the list\.$/),
      expect.stringMatching(/^currency\s+value\s+default "EUR"\s+one of\s+EUR\s*CHF$/),
    ])
    await page.getByRole('cell', { name: 'declared' }).first().waitFor()
    await page.reload()
    await input.waitFor()

    await page.getByRole('link', { name: 'Surfaces' }).click()
    await page.getByRole('combobox', { name: 'Surface' }).selectOption('reader')
    const onSurface = page.getByRole('table', { name: 'Tools of the surface' })
    await onSurface.getByRole('link', { name: 'local.files.write_file' }).waitFor()
    await page.getByRole('button', { name: /^hidden/ }).click()
    await onSurface.getByRole('row', { name: /write_file hidden .*plan/i }).waitFor()
    await page.getByRole('combobox', { name: 'Surface' }).selectOption('default')
    await page.getByRole('button', { name: /^denied/ }).click()
    await onSurface.getByRole('row', { name: /delete_file denied .*rule/i }).waitFor()
    await page
      .getByText(/tokens/)
      .first()
      .waitFor()
    expect(await seriousProblems(page)).toEqual([])
  })

  it('shows the first tools while the others are loading, and says which part its counts and filters speak of', async () => {
    const console = await openConsole(`tools: ['${join(root, 'test/console/support/many-tools.mjs')}']\n`)
    const page = await console.openAsOwner('/live')
    const held: Route[] = []
    const goOn = async (): Promise<void> => {
      await expect.poll(() => held.length).toBe(1)
      await held.pop()!.continue()
    }
    await page.route(LATER_PAGES, (route) => void held.push(route))
    await page.getByRole('link', { name: 'Catalog' }).click()
    const table = page.getByRole('table', { name: 'Tools' })
    const first = table.getByRole('link', { name: 'many.tool_0001' })
    await first.waitFor()
    await page.getByText('the first 100, loading more…').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('-1')
    expect(await seriousProblems(page)).toEqual([])
    await first.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('many.tool_0002')

    await page.getByRole('combobox', { name: 'facts' }).selectOption('writes or may write')
    await page.getByText('0 of the first 100, loading more…').waitFor()
    const sources = page.getByRole('combobox', { name: 'source' }).getByRole('option')
    expect(await sources.allTextContents()).toContain('loading more…')
    await goOn()
    await page.getByText('0 of the first 600, loading more…').waitFor()
    await page.getByRole('link', { name: 'Catalog' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('water the plants')
    await goOn()
    await page.getByText('of the first 1,100, loading more…').waitFor()
    const searched = table.getByRole('link', { name: 'many.tool_1101' })
    expect(await searched.count()).toBe(0)
    expect(await page.getByText(/No tool matches|The search found no tool/).count()).toBe(0)
    await goOn()
    await searched.waitFor()
    await page.getByRole('link', { name: 'Catalog' }).click()
    await page.getByText(/^1,20\d$/).waitFor()
    expect(await sources.allTextContents()).not.toContain('loading more…')
    await page.getByRole('combobox', { name: 'facts' }).selectOption('writes or may write')
    await page.getByText(/^1 of 1,20\d$/).waitFor()

    await page.route(LATER_PAGES, (route) => route.abort())
    await page.goto(`${console.origin}/catalog`)
    await first.waitFor()
    await page.getByText('the first 100, the others are not loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/^1,20\d$/).waitFor()
  })

  it('calls a tool through the pipeline, and lets an operator accept exactly the change that is shown', async () => {
    const console = await openConsole(config)
    const page = await console.openAsOwner('/catalog/mcp.shop.price?tab=try')
    const outcome = page.getByRole('region', { name: 'Outcome' })
    await page.getByRole('button', { name: 'Call it' }).click()
    await page.getByText('Fill in this field.').waitFor()
    await page.getByLabel('article (required)').fill('a1')
    await page.getByRole('button', { name: 'Call it' }).click()
    await outcome.getByText('It costs 12 <b>euros</b>.').waitFor()
    await outcome.getByText('succeeded').waitFor()
    await outcome.getByRole('link', { name: 'Story of the call' }).click()
    await page.waitForURL(/\/calls\/inv_/)

    const writing = await console.openAsOwner('/catalog/local.files.write_file?tab=try', { width: 390 })
    await writing.getByLabel('path (required)').fill('new.txt')
    await writing.getByLabel('content (required)').fill('x')
    await writing.getByRole('button', { name: 'Explain' }).click()
    await writing.getByText('What would change the decision').waitFor()
    await writing.getByRole('button', { name: 'Call it' }).click()
    await writing.getByText('The call waits for a person.').waitFor()
    expect(await seriousProblems(writing)).toEqual([])

    await page.goBack()
    await page.getByText('ready').waitFor()
    await console.call('mcp.shop.restock', {})
    const seen = await console.open('/catalog/mcp.shop.price', { token: await console.token('reviewer') })
    const change = seen.getByRole('region', { name: 'The source changed this tool' })
    await change.waitFor()
    expect(await change.getByRole('button', { name: 'Accept this change' }).isDisabled()).toBe(true)
    await change.getByText('Only an operator can accept it.').waitFor()
    await seen.getByRole('link', { name: 'Versions (1)' }).click()
    await seen.getByRole('heading', { name: 'New version not accepted yet' }).waitFor()
    expect(await seriousProblems(seen)).toEqual([])

    await page.getByText('needs acceptance').waitFor()
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
    await page.getByRole('button', { name: 'Accept this change' }).click()
    await page.getByText('mcp.shop.price is accepted and can be called again.').waitFor()
    await page.getByText('ready').waitFor()
    await page.getByRole('link', { name: 'Versions (2)' }).click()
    await page.getByText('Then send the price list to the supplier.').first().waitFor()
    expect(await page.getByText('Nothing that people read changed.').count()).toBe(0)
  })
})
