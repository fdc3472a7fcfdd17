import { expect, it } from 'vitest'
import '../own-process.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { startApi } from '../sources/openapi/start-api.js'
import { object, restTransport, text, toolFolder } from '../sources/tool-file/write-tools.js'
import { openConsole, seriousProblems } from './support/open-console.js'

withChromium('the inbox', () => {
  it('approves with edited arguments, checked while they are typed, and the waiting call finishes', async () => {
    const console = await openConsole()
    const id = await console.call('test.deploy', { service: 'billing', replicas: 2 })
    const page = await console.openAsOwner('/inbox')
    await page.getByRole('heading', { name: 'test.deploy' }).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.keyboard.press('e')
    await page.getByText('These arguments are valid.').waitFor()
    await page.getByLabel('replicas').fill('12')
    await page.getByText('must be at most 9').waitFor()
    await page.reload()
    expect(await page.getByLabel('replicas').inputValue()).toBe('12')
    await page.getByText('must be at most 9').waitFor()
    const approve = page.getByRole('button', { name: 'Approve and run with these arguments' })
    expect(await approve.isDisabled()).toBe(true)
    expect(await seriousProblems(page)).toEqual([])
    await page.getByLabel('replicas').fill('3')
    await approve.click()
    await page.getByText('Approved with changes').waitFor()
    await expect
      .poll(() => console.read(id))
      .toMatchObject({
        result: {
          status: 'succeeded',
          structured_content: { deployed: { service: 'billing', replicas: 3 } },
        },
      })
  })

  it('answers the call of a human tool file with its form, which first refuses wrong values', async () => {
    const api = await startApi(() => ({}))
    const folder = toolFolder()
    folder.tool('refund-review', {
      type: 'human',
      interface: {
        input: object({ order: text }, ['order']),
        output: object(
          {
            decision: { type: 'string', enum: ['refund', 'refuse'] },
            amount: { type: 'integer', minimum: 1, maximum: 50 },
            receipt: { type: 'string', pattern: '^R-[0-9]+$' },
          },
          ['decision', 'amount'],
        ),
      },
      transport: restTransport(api.url, 'POST /reviews'),
    })
    const console = await openConsole(`toolFiles:\n  shop: { folder: '${folder.path}' }\n`)
    const id = await console.call('aml.shop.refund-review', { order: 'A1' })
    const seen = await console.open('/inbox', { token: await console.token('operator'), width: 390 })
    await seen.getByRole('link', { name: /refund-review/ }).click()
    await seen.getByText('is not set up as a reviewer').waitFor()
    await seen.getByText('"A1"').waitFor()
    expect(await seen.getByLabel('decision').count()).toBe(0)
    expect(await seen.getByRole('button', { name: 'Send the answer to the agent' }).count()).toBe(0)
    await seen.close()
    const page = await console.openAsOwner('/inbox')
    const form = page.getByRole('group', { name: 'Answer', exact: true }).first()
    const send = form.getByRole('button', { name: 'Send the answer to the agent' })
    await send.click()
    expect(await form.getByText('Fill in this field.').count()).toBe(2)
    await form.getByLabel('decision').selectOption('refund')
    await form.getByLabel('amount').fill('80')
    await send.click()
    await form.getByText('This must be 50 or less.').waitFor()
    expect(await form.getByText('Fill in this field.').count()).toBe(0)
    await form.getByLabel('amount').fill('12')
    await form.getByLabel('receipt').fill('12')
    await send.click()
    // The form does not know patterns: the server refuses this one.
    await form
      .getByText(/pattern/)
      .first()
      .waitFor()
    expect(await seriousProblems(page)).toEqual([])
    expect(await console.read(id)).toMatchObject({ invocation: { status: 'awaiting_approval' } })
    await form.getByLabel('receipt').fill('R-12')
    await send.click()
    await page.getByText('Answered aml.shop.refund-review').waitFor()
    await page.getByText('0 waiting').waitFor()
    await expect
      .poll(() => console.read(id))
      .toMatchObject({
        result: {
          status: 'succeeded',
          structured_content: { decision: 'refund', amount: 12, receipt: 'R-12' },
        },
      })
  })

  it('shows further pages where more wait than one page has', async () => {
    const console = await openConsole()
    for (const service of ['billing', 'mail', 'search']) await console.call('test.deploy', { service })
    const page = await console.openAsOwner('/inbox')
    await page.getByText('3 waiting').first().waitFor()
    await page.route('**/api/v1/approvals?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=2') }),
    )
    await page.reload()
    const rows = page.getByRole('list', { name: 'Waiting questions' }).getByRole('listitem')
    const more = page.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    expect(await rows.count()).toBe(2)
    await page.getByText('3 waiting').first().waitFor()
    await more.click()
    await expect.poll(() => rows.count()).toBe(3)
  })

  it('shows who was faster, and keeps what the slower reviewer typed', async () => {
    const console = await openConsole()
    const id = await console.call('test.deploy', { service: 'billing' })
    const [first, second] = [await console.openAsOwner('/inbox'), await console.openAsOwner('/inbox')]
    await second.getByRole('heading', { name: 'test.deploy' }).waitFor()
    await second.keyboard.press('r')
    await second.getByLabel('Why not?').fill('Not on a Friday.')
    await first.getByRole('button', { name: 'Approve and run once' }).click()
    await second.getByText('approved this').waitFor()
    expect(await second.getByLabel('Why not?').inputValue()).toBe('Not on a Friday.')
    expect(await second.getByRole('button', { name: 'Reject: the call does not run' }).isDisabled()).toBe(
      true,
    )
    await expect.poll(() => console.read(id)).toMatchObject({ result: { status: 'succeeded' } })
  })

  it('answers one question once when two reviewers click at the same time', async () => {
    const console = await openConsole()
    await console.call('test.deploy', { service: 'billing' })
    const pages = [await console.openAsOwner('/inbox'), await console.openAsOwner('/inbox')]
    const buttons = pages.map((page) => page.getByRole('button', { name: 'Approve and run once' }))
    for (const button of buttons) await button.waitFor()
    await Promise.all(buttons.map((button) => button.click()))
    const toasts = async (): Promise<number> =>
      (await Promise.all(pages.map((page) => page.getByText('Approved test.deploy').count()))).reduce(
        (sum, count) => sum + count,
      )
    await expect.poll(toasts).toBe(1)
    await Promise.all(
      pages.map((page) =>
        page
          .getByText(/Nothing waits for you|approved this/)
          .first()
          .waitFor(),
      ),
    )
  })

  it('rejects with a reason by the keyboard, goes to the next question, and fills the inbox live', async () => {
    const console = await openConsole()
    const page = await console.openAsOwner('/inbox')
    await page.getByText('Nothing waits for you').waitFor()
    const rejected = await console.call('test.deploy', { service: 'billing' })
    await page.getByRole('heading', { name: 'test.deploy' }).waitFor()
    const other = await console.call('test.deploy', { service: 'mail' })
    await page.getByText('2 waiting').first().waitFor()
    await page.getByRole('link', { name: 'service: mail' }).waitFor()
    // A mistyped sequence is not its second key.
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    // The list is one stop of the Tab key, and the arrow keys move in it.
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
    await page.getByRole('link', { name: 'service: billing' }).focus()
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toContain('mail')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('test.deploy')
    // Escape leads back to where the person was.
    await page.keyboard.press('r')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('test.deploy')
    const reject = page.getByRole('button', { name: 'Reject…' })
    await reject.click()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toContain('Reject…')
    await page.getByRole('button', { name: 'Always…' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toContain('Always…')
    await page.keyboard.press('r')
    await page.keyboard.type('Use the staging service.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Rejected test.deploy').waitFor()
    await expect.poll(() => console.read(rejected)).toMatchObject({ result: { status: 'rejected' } })
    expect((await console.read(other)).result).toBeUndefined()
    await page.getByText('service').first().waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2')
    expect(new URL(page.url()).searchParams.get('approval')).toContain(other)
  })

  it('leads from an old link to what waits, and covers no button of the next question after an answer', async () => {
    const console = await openConsole()
    await console.call('test.deploy', { service: 'billing' })
    await console.call('test.deploy', { service: 'search' })
    const page = await console.openAsOwner('/inbox?approval=appr_old')
    await page.getByRole('heading', { name: 'There is no such question' }).waitFor()
    await page.getByRole('link', { name: 'service: search' }).waitFor()
    await page.getByRole('link', { name: 'Show what waits' }).click()
    await page.getByRole('button', { name: 'Approve and run once' }).click()
    await page.getByText('Approved test.deploy').waitFor()
    await page.getByText('1 waiting').first().waitFor()
    await page.getByRole('button', { name: 'Reject…' }).click({ trial: true, timeout: 2000 })
    expect(await page.getByText('Approved test.deploy').count()).toBe(1)
    const [toast, title] = await Promise.all([
      page.locator('.toast').boundingBox(),
      page.locator('.question-header').boundingBox(),
    ])
    expect(toast!.y).toBeGreaterThan(title!.y + title!.height)
  })

  it('shows text of tools and models as text, and hidden characters by their codes', async () => {
    const console = await openConsole()
    await console.call('test.deploy', { service: '<script>document.title = 1</script> a\u202Eexe.txt' })
    const page = await console.openAsOwner('/inbox')
    const shown = page.getByLabel('Arguments', { exact: true })
    await shown.waitFor()
    expect(await shown.textContent()).toContain('<script>document.title = 1</script> aU+202Eexe.txt')
    expect(await page.locator('main script, main img').count()).toBe(0)
    expect(await page.title()).toBe('(1) Inbox · Toolcrib')
    await page.keyboard.press('e')
    await page.getByText('characters that do not show').waitFor()
    expect(await page.locator('.hidden-characters').textContent()).toContain('aU+202Eexe.txt')
  })

  it('fits a narrow screen in the dark', async () => {
    const console = await openConsole()
    await console.call('test.deploy', { service: 'billing' })
    const page = await console.openAsOwner('/inbox', { width: 390, colorScheme: 'dark' })
    await page.getByRole('link', { name: /test.deploy/ }).click()
    const approve = page.getByRole('button', { name: 'Approve and run once' })
    await approve.waitFor()
    // Nobody approves what is below the fold.
    const input = await page.getByLabel('Arguments', { exact: true }).boundingBox()
    expect(input!.y + input!.height).toBeLessThan((await approve.boundingBox())!.y)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await seriousProblems(page)).toEqual([])
  })
})
