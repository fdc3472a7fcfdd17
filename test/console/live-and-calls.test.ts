import { expect, it } from 'vitest'
import '../own-process.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { openConsole, seriousProblems } from './support/open-console.js'

withChromium('the pages of calls', () => {
  it('shows the progress of a running call, and cancels it', async () => {
    const console = await openConsole()
    const id = await console.call('test.build', {})
    const page = await console.openAsOwner('/live')
    await page.getByText('compiling 42 files').waitFor()
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('42')
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel test.build' }).click()
    await page.getByRole('heading', { name: 'Just ended' }).waitFor()
    await expect.poll(() => console.read(id)).toMatchObject({ invocation: { status: 'canceled' } })
  })

  it('leads from a call that waits for a person to its question', async () => {
    const console = await openConsole()
    await console.call('test.deploy', { service: 'billing' })
    const page = await console.openAsOwner('/live')
    const listed: string[] = []
    page.on('request', (request) => {
      if (/\/approvals(\?|$)/.test(request.url())) listed.push(request.url())
    })
    // The number beside the inbox does not need the questions.
    await console.call('test.deploy', { service: 'mail' })
    await page.getByRole('link', { name: /^Inbox\s*2/ }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: /^Inbox\s*2/ }).waitFor()
    expect(listed).toEqual([])
    await page.getByRole('link', { name: 'Waits for a person: open the question' }).first().click()
    await page.getByRole('button', { name: 'Approve and run once' }).waitFor()
  })

  it('lists calls with filters in the address, and new ones as they come', async () => {
    const console = await openConsole()
    for (let count = 0; count < 30; count++) await console.call('test.add', { a: count })
    await console.call('test.deploy', { service: 'billing' }, 'two')
    const page = await console.openAsOwner('/calls')
    await page.getByText('31').first().waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByLabel('Session', { exact: true }).fill('two')
    await page.getByRole('link', { name: 'test.deploy' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'test.add' }).count()).toBe(0)
    expect(page.url()).toContain('session=two')
    await console.call('test.add', {}, 'two')
    await page.getByRole('link', { name: 'test.add' }).waitFor()
  })

  it('connects again after a restart of the server, and shows what happened meanwhile', async () => {
    const console = await openConsole()
    const page = await console.openAsOwner('/inbox')
    await page.getByText('Nothing waits for you').waitFor()
    await console.stop()
    await page.getByText('Reconnecting').waitFor()
    await console.start()
    await console.call('test.deploy', { service: 'billing' })
    await page.getByRole('heading', { name: 'test.deploy' }).waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
  })
})
