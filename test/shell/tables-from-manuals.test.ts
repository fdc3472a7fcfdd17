import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { parseCommand } from '../../src/shell/parse/parse-command.js'
import { prove } from '../../src/shell/proof/prove.js'
import { fromManuals } from '../../src/shell/safe-commands/from-manuals/from-manuals.js'
import { safeCommands } from '../../src/shell/safe-commands/safe-commands.js'
import { cleanContext } from './clean-context.js'

const proofOf = (text: string) => prove(parseCommand(text), cleanContext)
const strangePlace = { cwd: '/work/project', home: '/home/user' }
const names = fromManuals.flatMap((family) => Object.keys(family).flatMap((key) => key.split(' ')))

describe('a command that is known only from its manual', () => {
  it('is marked in the table, and no other is', () => {
    const marked = [...safeCommands].filter(([, spec]) => spec.isFromManual).map(([name]) => name)
    expect(marked.toSorted()).toEqual(names.toSorted())
  })

  it('is listed in the README, and no other is', () => {
    const text = readFileSync('src/shell/safe-commands/README.md', 'utf8')
    const list = /known from their manuals alone:\n\n```\n(.*?)```/s.exec(text)?.[1] ?? ''
    expect(list.split(/\s+/).filter((word) => word !== '')).toEqual(names.toSorted())
  })

  test.each(names.flatMap((name) => ['$x', '"$x"', '*', 'a$(date)', '{a,b}'].map((word) => [name, word])))(
    '%s %s is refused for the word',
    (name, word) => {
      const { isReadOnly, reason } = proofOf(`${name} ${word}`)
      expect({ isReadOnly, reason }).toEqual({
        isReadOnly: false,
        reason: `${name} is known from its manual alone, so each of its words must be written out, without variables or wildcards.`,
      })
    },
  )

  test.each([
    'brew list "$x"',
    'sw_vers $x',
    'terraform fmt -check "$dir"',
    'uv pip show $(cat x)',
    'echo a | xargs brew info',
    "find . -exec plutil -lint '{}' ';'",
    'ruff check --no-cache --no-fix *.py',
    '/opt/homebrew/bin/brew list $x',
  ])('is refused with a word that only the shell can expand: %s', (text) =>
    expect(proofOf(text).isReadOnly).toBe(false),
  )

  test.each([
    'brew list',
    'brew info python@3.11',
    'brew search /python/',
    'brew deps --tree homebrew/core/git',
    'uv pip list --format=json',
    'terraform fmt -check -recursive',
    'terraform output',
    'terraform state list',
    'helm template a ./b -f values.yaml',
    'helm env HELM_NAMESPACE',
    'gcloud run services list --region=europe-west1',
    'gcloud artifacts docker images list --location europe-west1',
    'gcloud config get-value project',
    'auth0 api get clients',
    'ruff check --no-cache --no-fix src',
    'defaults read com.apple.Finder',
    'networksetup -getinfo Wi-Fi',
    'yum list --installed',
  ])('is proven with literal words: %s', (text) => expect(proofOf(text).isReadOnly).toBe(true))
})

describe('is not proven', () => {
  test.each([
    // a path or an address is Ruby code, and another tap is fetched
    'brew info ./evil.rb',
    'brew cat evil.rb',
    'brew deps https://example.com/x.rb',
    'brew info user/tap/formula',
    'brew --prefix ./x',
    'brew outdated',
    // secrets
    'terraform output -json',
    'terraform output -raw password',
    'terraform output password',
    'terraform show -json',
    'terraform state pull',
    'helm env',
    'helm env HELM_KUBETOKEN',
    'helm get values x -f secrets://x',
    'gcloud auth print-access-token',
    'gcloud secrets versions access 1 --secret x',
    'gcloud config get proxy/password',
    'gcloud config list proxy/password',
    'gcloud redis instances get-auth-string x',
    'auth0 apps show x --reveal-secrets',
    'conda info --unsafe-channels',
    'security find-generic-password -w -s x',
    // what looks like a group is the command
    'gcloud scheduler jobs run list',
    'gcloud workflows run list',
    'gcloud beta builds triggers run list',
    'gcloud transfer jobs run describe',
    'gcloud docker list',
    // options that read options, choose a host or an identity, or print what is sent
    'gcloud compute instances list --flags-file=x',
    'gcloud compute instances list --flags-fil x',
    'gcloud compute instances list --log-http',
    'gcloud compute instances list --impersonate-service-account=x',
    'gcloud compute instances list --access-token-file x',
    'gcloud ai endpoints list --region=example.com/',
    'gcloud ai endpoints list --region example.com/',
    'gcloud info --run-diagnostics',
    'gcloud container clusters get-credentials x',
    // what is fetched or sent
    'helm template a b -f https://example.com/x',
    'helm template a b --values=secrets://x',
    'helm template a b --post-renderer x',
    'auth0 api clients',
    'auth0 api post clients',
    'hdiutil imageinfo https://example.com/x.dmg',
  ])('%s', (text) => expect(proofOf(text).isReadOnly).toBe(false))
})

describe('is proven only in a trusted folder', () => {
  test.each(['terraform validate', 'uv pip list', 'dotnet --version'])('%s', (text) => {
    expect(proofOf(text).isReadOnly).toBe(true)
    expect(prove(parseCommand(text), strangePlace).isReadOnly).toBe(false)
    expect(prove(parseCommand(`cd x && ${text}`), strangePlace).isReadOnly).toBe(false)
  })
})
