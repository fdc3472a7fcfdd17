import { expect, it } from 'vitest'
import '../own-process.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { openConsole, seriousProblems } from './support/open-console.js'

withChromium('the login', () => {
  it('logs in by the link, and leaves no code in the address', async () => {
    const console = await openConsole()
    const page = await console.open(new URL(console.link).pathname + new URL(console.link).hash)
    await page.waitForURL(`${console.origin}/inbox`)
    expect(page.url()).not.toContain('code')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${console.origin}/login*`)
    // The logout loads a new document.
    await page.getByRole('heading', { name: 'Log in to Toolcrib' }).waitFor()
    await page.goto(`${console.origin}/calls`)
    await page.getByRole('heading', { name: 'Log in to Toolcrib' }).waitFor()
  })

  it('says that a token is wrong', async () => {
    const console = await openConsole()
    const page = await console.open('/calls?tool=test.add')
    await page.getByLabel('Token').fill('no-token-of-this-server')
    await page.getByRole('button', { name: 'Log in with the token' }).click()
    await page.getByRole('alert').waitFor()
    expect(await seriousProblems(page)).toEqual([])
    expect(new URL(page.url()).searchParams.get('next')).toBe('/calls?tool=test.add')
  })

  it('goes back to where the person was after a lost session', async () => {
    const console = await openConsole()
    const page = await console.openAsOwner('/calls?tool=test.add')
    await page.getByText('No call matches').waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Show all calls' }).click()
    await page.getByText('Your session has ended').waitFor()
    const { hash } = new URL(console.link)
    await page.goto(page.url() + hash)
    await page.waitForURL(`${console.origin}/calls`)
  })
})
