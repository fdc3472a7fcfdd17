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
    // The server filters, so that a call is found however many are newer.
    const asked = page.waitForRequest(/\/invocations\?.*actor=nobody/)
    await page.getByLabel('Agent').fill('nobody')
    await asked
    await page.getByText('No running call matches these filters').waitFor()
    await page.getByRole('link', { name: 'Show all running calls' }).click()
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
    // Back leads to the rows that were in view.
    const table = page.getByRole('table', { name: 'Calls' })
    await page.evaluate(`document.querySelector('.virtual-table').scrollTop = 200`)
    await table.getByRole('link', { name: 'test.add' }).nth(15).click()
    const step = page.locator('.step-time').first()
    expect(await step.textContent()).toBe('0 ms')
    await page.getByRole('button', { name: 'Exact times' }).press('Enter')
    expect(await step.textContent()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
    await page.getByRole('link', { name: /^Events/ }).click()
    await page.getByRole('link', { name: 'tool.invocation.started' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('table', { name: 'Events' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await table
      .getByText(/\d\d:\d\d:\d\d/)
      .first()
      .waitFor()
    expect(await page.evaluate(`document.querySelector('.virtual-table').scrollTop`)).toBe(200)
    await page.getByLabel('Session', { exact: true }).fill('two')
    await page.getByRole('link', { name: 'test.deploy' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'test.add' }).count()).toBe(0)
    expect(page.url()).toContain('session=two')
    const id = await console.call('test.add', {}, 'two')
    await page.getByRole('link', { name: 'test.add' }).waitFor()
    await page.getByLabel('Open the call with this id').fill(id)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${console.origin}/calls/${id}`)
  })

  it('connects again after a restart of the server, and shows what happened meanwhile', async () => {
    const console = await openConsole()
    const page = await console.openAsOwner('/inbox')
    await page.getByText('Nothing waits for you').waitFor()
    const phone = await console.openAsOwner('/catalog', { width: 390 })
    await phone.getByRole('link', { name: 'test.deploy' }).waitFor()
    await console.stop()
    await page.getByText('Reconnecting').waitFor()
    await page.getByRole('button', { name: 'Try now' }).waitFor()
    // A page whose code is not there yet, and a search: both come by themselves with the connection.
    await page.getByRole('link', { name: 'Catalog' }).click()
    await page.getByText('This page is loaded when the connection is back.').waitFor()
    await phone.getByRole('button', { name: 'Try now' }).waitFor()
    await phone.getByRole('searchbox').fill('deploy')
    await phone.getByText('The server cannot be reached').waitFor()
    await console.start()
    await console.call('test.deploy', { service: 'billing' })
    for (const each of [page, phone]) {
      // The connection may be back before the click.
      await each
        .getByRole('button', { name: 'Try now' })
        .click({ timeout: 2_000 })
        .catch(() => {})
      await each.getByRole('link', { name: 'test.deploy' }).waitFor()
      await expect.poll(() => each.getByText('The server cannot be reached').count()).toBe(0)
    }
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('heading', { name: 'test.deploy' }).waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()

    // After an upgrade the files of pages have other names.
    await page.route(/policy-page-/, (route) => route.fulfill({ status: 404 }))
    await page.route(`${console.origin}/`, (route) =>
      route.fulfill({ body: '<script type="module" src="/assets/index-new.js"></script>' }),
    )
    await page.getByRole('link', { name: 'Policy' }).click()
    await page.getByText('so the page was loaded again').waitFor()
  })
})
