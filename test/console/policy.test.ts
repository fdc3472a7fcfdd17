import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import '../own-process.js'
import { withChromium } from '../sources/builtins/browser/with-chromium.js'
import { openConsole, seriousProblems } from './support/open-console.js'

const config = `builtins:
  files: { roots: [.] }
  shell: {}
permission:
  deny:
    - rule: 'shell.exec(rm:*)'
      reason: Files are moved to the trash.
      match: ['rm -rf build']
      not_match: ['npm run build']
`

withChromium('the policy', () => {
  it('explains a call that nobody made, with the rule that decides and what would change it', async () => {
    const console = await openConsole(config)
    const page = await console.openAsOwner('/policy')
    await page.getByRole('region', { name: /the project: .*toolcrib\.yaml/ }).waitFor()
    await page.getByText('Files are moved to the trash.').waitFor()
    await page.getByRole('link', { name: 'Explain a call' }).click()
    await page.getByLabel('Tool', { exact: true }).fill('shell.exec')
    await page.getByLabel('command (required)').fill('rm -rf build')
    await page.getByLabel('Agent').fill('agent:coder')
    await page.getByRole('button', { name: 'Explain' }).click()
    const explained = page.getByRole('region', { name: 'Explanation' })
    await explained.getByText('denied').waitFor()
    await explained.getByText('rm -rf build', { exact: true }).waitFor()
    await explained.getByText('local.shell.shell.exec', { exact: true }).waitFor()
    const [winner] = await explained.locator('.considered li').allInnerTexts()
    expect(winner).toMatch(/deny\s+shell\.exec\(rm:\*\)\s+decides\s+.*toolcrib\.yaml:6/)
    await explained.getByText(/would have to be removed, narrowed or waived/).waitFor()
    expect(await seriousProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Test cases' }).click()
    await page.getByText('All 2 examples hold.').waitFor()
    await page.getByRole('link', { name: 'Hooks' }).click()
    await page.getByText('No hooks').waitFor()
  })

  it('shows which of the last calls a rule would change before it is saved and before it is removed', async () => {
    const console = await openConsole(config)
    const rulesInFile = (): string => readFileSync(join(console.place.folder, 'toolcrib.yaml'), 'utf8')
    const ids = [
      await console.call('read_file', { path: 'notes.txt' }),
      await console.call('read_file', { path: 'other.txt' }),
    ]
    for (const id of ids) await expect.poll(() => console.read(id)).toHaveProperty('result')
    const page = await console.openAsOwner('/policy')
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(focused).toBe('Add a rule')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    const form = page.getByRole('form', { name: 'Add a rule' })
    await form.getByLabel('Decision').selectOption('deny')
    await form.getByRole('combobox', { name: 'Rule' }).fill('read_file(notes.txt)')
    await form.getByText('1 of the last 2 calls would be decided otherwise.').waitFor()
    const row = form.getByRole('row', { name: /local\.files\.read_file allowed denied/ })
    expect(await row.getByRole('link').getAttribute('href')).toMatch(/^\/calls\/inv_/)
    expect(await seriousProblems(page)).toEqual([])
    await form.getByLabel('Written to').selectOption('project_settings')
    await form.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByText('The rule is in force.').waitFor()
    expect(rulesInFile()).toContain('read_file(notes.txt)')
    await expect.poll(focused).toBe('Add a rule')
    await page.getByRole('button', { name: 'Edit deny read_file(notes.txt)' }).click()
    await page.getByLabel('Reason').fill('Notes are private.')
    await page.getByText('Only the reason changes').waitFor()
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByText('The changed rule is in force.').waitFor()
    await page.getByText('Notes are private.').waitFor()
    expect(rulesInFile().match(/read_file\(notes\.txt\)/g)).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove deny read_file(notes.txt)' }).click()
    await page.getByText('1 of the last 2 calls would be decided otherwise.').waitFor()
    await page.getByRole('button', { name: 'Remove the rule' }).click()
    await page.getByText('The rule is removed.').waitFor()
    expect(rulesInFile()).not.toContain('read_file')
    await page.getByRole('button', { name: 'Edit deny shell.exec(rm:*)' }).click()
    const edit = page.getByRole('form', { name: 'Edit a rule' })
    await edit.getByRole('combobox', { name: 'Rule' }).fill('shell.exec(rm -rf:*)')
    await edit.getByRole('button', { name: 'Save the rule' }).click()
    await expect.poll(rulesInFile).toBe(config.replace('rm:*', 'rm -rf:*'))

    const seen = await console.open('/policy', { token: await console.token('reviewer'), width: 390 })
    await seen.getByText('Only an operator can change rules.').waitFor()
    expect(await seen.getByRole('button', { name: 'Add a rule' }).isDisabled()).toBe(true)
    expect(await seen.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
    expect(await seriousProblems(seen)).toEqual([])
  })
})
