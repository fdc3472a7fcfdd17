import type { CommandFamily, CommandSpec } from '../../command-spec.js'

const CHART = `--version= --devel --repo= --verify --keyring= --username= --password= --ca-file=
  --insecure-skip-tls-verify --plain-http --pass-credentials`
const VALUES = '-f= --values= --set= --set-string= --set-json= --set-literal='

/** A local value file: a URL would be fetched, by a plugin if it has a custom scheme. */
const isLocalFile = (value: string) => !value.includes('://')
const valueFiles = { '-f': isLocalFile, '--values': isLocalFile }

const isDryRun = (value: string) => /^(?:client|server|true)$/.test(value)

// Not --post-renderer, which runs a program, and --output-dir.
const rehearses: CommandSpec = {
  needs: '--dry-run',
  options: `--dry-run? ${CHART} ${VALUES} -g --generate-name --description= --no-hooks --install -i --reuse-values
    --reset-values --timeout= -o= --output= --hide-secret`,
  values: { '--dry-run': isDryRun, ...valueFiles },
}

const shows: CommandSpec = { options: `${CHART} --jsonpath=` }

/** helm, if it inspects releases and charts, or only prints what it would do. */
export const helm: CommandFamily = {
  helm: {
    isOpenWorld: true,
    isPersistent: true,
    // Not --kubeconfig, which can name a program that returns credentials.
    options: '-n= --namespace= --kube-context= --debug --burst-limit= --qps= -h',
    helpOf: 'create package pull push plugin registry repo test uninstall dependency',
    verbs: {
      'list ls': {
        options: `-a -A -d -m= -o= -q -r -f= -l= --all --all-namespaces --date --deployed --failed --filter= --max=
          --offset= --output= --pending --reverse --selector= --short --superseded --time-format= --uninstalled
          --uninstalling --no-headers`,
      },
      status: { options: '-o= --output= --revision= --show-desc --show-resources' },
      'history hist': { options: '-o= --output= --max=' },
      get: {
        verbs: {
          'all hooks manifest notes values metadata': {
            options: '-a --all -o= --output= --revision= --template=',
          },
        },
      },
      search: {
        verbs: {
          repo: {
            options:
              '-l -r -o= --versions --regexp --devel --version= --max-col-width= --output= --fail-on-no-result',
          },
          hub: { options: '-o= --output= --max-col-width= --list-repo-url --endpoint=' },
        },
      },
      'show inspect': { verbs: { 'all chart crds readme values': shows } },
      lint: { options: `${VALUES} --strict --quiet --with-subcharts --kube-version=`, values: valueFiles },
      template: {
        options: `${CHART} ${VALUES} -s= --show-only= --no-hooks --skip-crds --include-crds --skip-tests
          --is-upgrade --name-template= -a= --api-versions= --kube-version= -g --generate-name --release-name
          --validate`,
        values: valueFiles,
      },
      'install upgrade rollback uninstall': rehearses,
      version: { options: '--short --template= -c --client' },
      'help verify': {},
      // They include the token for the cluster.
      env: {
        operands: 1,
        operand: (value) => value !== 'HELM_KUBETOKEN',
        check: ({ operands }) => operands.length === 1,
      },
      completion: { verbs: { 'bash zsh fish powershell': { options: '--no-descriptions' } } },
      repo: { verbs: { 'list ls': { options: '-o= --output=' } } },
      plugin: { verbs: { 'list ls': {} } },
      'dependency dep dependencies': { verbs: { 'list ls': { options: '--max-col-width=' } } },
    },
  },
}
