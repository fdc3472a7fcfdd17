import type { CommandFamily, CommandSpec, Given } from '../command-spec.js'
import { isPlainHeader } from '../grammars/is-plain-header.js'

// Not --web and -w, which open a browser.
const COMMON = '-R= --repo= -L= --limit= --json= -q= --jq= -t= --template='

/** Not a URL on another host: a token of the environment would go there. */
const isHere = (value: string) =>
  !/:\/\/|^[\w.-]+@[\w.-]+:/.test(value) || value.startsWith('https://github.com/')
const isRepo = (value: string) => /^(?:(?:https:\/\/)?github\.com\/)?[\w.-]+\/[\w.-]+$/.test(value)
const reads = (options = ''): CommandSpec => ({ options: `${COMMON} ${options}`, operand: isHere })
const LISTS = `-s= -l= -a= -A= -S= -B= -H= -m= -d --state= --label= --author= --assignee= --search= --base= --head= --milestone=
    --mention= --app= --draft`
const SCOPES =
  '-e= --env= -o= --org= -u --user -k= --key= -r= --ref= -S= --sort= -O= --order= -a= --app= --search='

/** Parameters make it a POST, unless the method is given. */
function isGet({ options }: Given): boolean {
  // Both spellings: the last one wins.
  const methods = ['-X', '--method'].flatMap((name) => options.get(name) ?? [])
  if (methods.length > 0) return methods.every((method) => /^GET$/i.test(method))
  return !['-f', '-F', '--field', '--raw-field', '--input'].some((name) => options.has(name))
}

// `@` names a file to send.
const isOwnText = (value: string) => /^[^=]+=(?!@)/.test(value)
const isApiPath = (value: string) => !value.includes('://') && !/^\/?graphql(?:[/?#]|$)/.test(value)
// Old versions store the token among the settings.
const isOpenSetting = (value: string) =>
  /^(?:git_protocol|editor|prompt|pager|browser|http_unix_socket)$/.test(value)

/** The GitHub client, if it only shows. */
export const github: CommandFamily = {
  gh: {
    isOpenWorld: true,
    options: '-R= --repo= -h',
    values: { '-R': isRepo, '--repo': isRepo },
    isPersistent: true,
    isBare: true,
    helpOf:
      'pr issue repo release run workflow gist auth api browse codespace secret variable label cache project',
    verbs: {
      pr: {
        verbs: {
          'list ls': reads(LISTS),
          view: reads('-c --comments'),
          status: reads('-c --conflict-status'),
          checks: reads('--watch --fail-fast -i= --interval= --required'),
          diff: { options: '-R= --repo= --color= --patch --name-only -e= --exclude=', operand: isHere },
        },
      },
      issue: { verbs: { 'list ls': reads(LISTS), view: reads('-c --comments'), status: reads() } },
      repo: {
        verbs: {
          'list ls': reads('--archived --fork --language= -l= --no-archived --source --topic= --visibility='),
          view: {
            ...reads('-b= --branch='),
            operands: 1,
            operand: (value) => isRepo(value) || /^[\w.-]+$/.test(value),
          },
        },
      },
      release: {
        verbs: {
          'list ls': reads('--exclude-drafts --exclude-pre-releases -O= --order='),
          view: reads(),
          'verify verify-asset': { options: '-R= --repo= --format= --jq=' },
        },
      },
      run: {
        verbs: {
          'list ls': reads(
            '-a --all -b= --branch= -c= --commit= --created= -e= --event= -s= --status= -u= --user= -w= --workflow=',
          ),
          view: reads('-a= --attempt= --exit-status -j= --job= --log --log-failed -v --verbose'),
          watch: { options: '-R= --repo= -i= --interval= --exit-status --compact' },
        },
      },
      workflow: { verbs: { 'list ls': reads('-a --all'), view: reads('-r= --ref= -y --yaml') } },
      gist: {
        verbs: {
          'list ls': reads('--public --secret --filter= --include-content'),
          view: reads('-f= --filename= --files -r --raw'),
        },
      },
      // Not --show-token.
      auth: { verbs: { status: { options: '-h= --hostname= -a --active' } } },
      config: {
        verbs: {
          get: { options: '-h= --host=', operands: 1, operand: isOpenSetting },
          'list ls': { options: '-h= --host=', operands: 0 },
        },
      },
      api: {
        options: `-X= --method= -f= -F= --field= --raw-field= -H= --header= -i --include -q= --jq= -t=
          --template= --paginate --slurp --silent -p= --preview= --cache=`,
        operands: 1,
        values: {
          '-H': isPlainHeader,
          '--header': isPlainHeader,
          '-F': isOwnText,
          '--field': isOwnText,
        },
        // A query of graphql could be a mutation.
        operand: isApiPath,
        check: isGet,
      },
      search: {
        verbs: {
          'commits issues prs repos code': {
            options: `${COMMON} --archived --assignee= --author= --created= --language= --label= --owner= --sort=
              --order= --state= --stars= --topic= --visibility= --updated= --match= --merged --draft --closed=
              --comments= --committer= --extension= --filename= --size= --forks= --include-forks= --license=
              --followers= --number-topics= --mentions= --milestone= --project= --reactions= --interactions=
              --checks= --review= --base= --head= --app= --hash= --parent= --tree=`,
          },
        },
      },
      'label cache secret alias ssh-key gpg-key org': { verbs: { 'list ls': reads(SCOPES) } },
      variable: { verbs: { 'list ls get': reads(SCOPES) } },
      project: {
        verbs: {
          'list ls': reads('--owner= --closed --format='),
          'view item-list field-list': reads('--owner= --format='),
        },
      },
      ruleset: {
        verbs: {
          'list ls': reads('-o= --org= -p --parents'),
          'view check': reads('-o= --org= --default -p --parents'),
        },
      },
      // Not `logs` and `ports`, which start it.
      'codespace cs': {
        verbs: {
          'list ls': reads('-o= --org= -u= --user='),
          view: reads('-c= --codespace='),
        },
      },
      'extension ext extensions': {
        verbs: { 'list ls': {}, search: reads('--license= --order= --owner= --sort=') },
      },
      'attestation at': {
        verbs: {
          verify: {
            options: '-o= --owner= -R= --repo= --format= --jq= --deny-self-hosted-runners -b= --bundle=',
          },
        },
      },
      status: { options: '-e= --exclude= -o= --org=' },
      version: {},
      help: {},
    },
  },
}
