import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import '../own-process.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { openConsole, seriousProblems } from './support/open-console.js'

const config = `builtins: [policy]
permission:
  deny: [Read(**/.env)]
`

withChromium('the settings', () => {
  it('makes a token that is shown once, rotates it and revokes it', async () => {
    const console = await openConsole(config)
    const statusWith = async (token: string): Promise<number> =>
      (await fetch(`${console.origin}/api/v1/session`, { headers: { authorization: `Bearer ${token}` } }))
        .status
    const page = await console.openAsOwner('/settings')
    await page.getByText('answers approvals, and reads the records').waitFor()
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByText('No tokens yet').waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Name').fill('build-agent')
    await dialog.getByLabel(/^auditor/).check()
    expect(await seriousProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create the token' }).click()
    const shown = page.getByRole('status', { name: 'The new token' })
    const secret = (): Promise<string> => shown.locator('code').innerText()
    const first = await secret()
    expect(await statusWith(first)).toBe(200)
    await shown.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(first)

    await page.getByRole('button', { name: 'Rotate build-agent' }).click()
    await page.getByRole('button', { name: 'Rotate it' }).click()
    const second = await secret()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
    await page.getByRole('button', { name: 'Revoke build-agent' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('build-agent is revoked.').waitFor()
    expect(await statusWith(second)).toBe(401)
    await page.getByLabel('Show revoked tokens').check()
    await page.getByText('revoked', { exact: true }).waitFor()
  })

  it('marks problems of the config while it is typed, saves it, and notices that somebody else changed it', async () => {
    const console = await openConsole(config)
    const page = await console.openAsOwner('/settings?tab=config')
    const file = join(console.place.folder, 'toolcrib.yaml')
    const editor = page.getByLabel('Config', { exact: true })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => editor.inputValue()).toBe(config)
    await editor.fill(`${config}surfce: {}\n`)
    await page.getByText(/unknown key "surfce"/).waitFor()
    expect(await page.locator('.config-gutter .error').innerText()).toBe('4')
    expect(await save.isDisabled()).toBe(true)
    expect(await seriousProblems(page)).toEqual([])
    await editor.fill(`${config}results: { maxInlineChars: 9000 }\n`)
    await page.getByText('The text has no problems.').waitFor()
    await save.click()
    await page.getByText(/take effect when the server is started again: results/).waitFor()
    expect(readFileSync(file, 'utf8')).toContain('maxInlineChars: 9000')

    await editor.fill(`${config}# mine\n`)
    appendFileSync(file, '# theirs\n')
    await page.getByText('The text has no problems.').waitFor()
    await save.click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('# theirs').waitFor()
    await conflict.getByText('# mine').waitFor()
    expect(readFileSync(file, 'utf8')).not.toContain('# mine')
    await conflict.getByRole('button', { name: 'Take the file' }).click()
    expect(await editor.inputValue()).toContain('# theirs')

    const token = await console.token('reviewer')
    const seen = await console.open('/settings?tab=tokens', { token, width: 390 })
    await seen.getByText('Tokens are for operators').waitFor()
    await seen.getByRole('link', { name: 'Config' }).click()
    await seen.getByText('The config is for operators').waitFor()
    expect(await seriousProblems(seen)).toEqual([])
  })
})
