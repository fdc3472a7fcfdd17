/** A format that its issuer published: recognized by its prefix, wherever it occurs. */
export interface KnownToken {
  rule: string
  /** Its exact prefix. */
  begins: string
  /** The rest, as the source of a regular expression. Open at the end, so that a longer token is covered whole. */
  follows: string
  /**
   * The whole token where it is glued to other letters, as the source of a regular expression. Only prefixes that no
   * word contains can be searched for there.
   */
  glued?: string
  /** It also has a digit, or letters of both cases: otherwise it is a word or a placeholder. */
  isMixed?: boolean
}

const WORD = '[A-Za-z0-9_-]'
const ALNUM = '[A-Za-z0-9]'
const HEX = '[A-Fa-f0-9]'
const BASE64 = '[A-Za-z0-9+/_-]'
/** Four letters occur by chance in any Base64. */
const NOT_INSIDE = '(?<![A-Za-z0-9+/_-]EAA[A-Z])'
const UUID = `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`

function each(rule: string, begins: readonly string[], follows: string): KnownToken[] {
  // Capitals alone can be random too, where only capitals are used.
  const isMixed = rule !== 'aws_access_key'
  return begins.map((begin) => ({ rule, begins: begin, follows, isMixed }))
}

/** Tokens whose prefix does not end with a special character, with the length that their issuers define. */
const GLUED: Readonly<Record<string, string>> = {
  AKIA: '[A-Z2-7]{16}(?![A-Z0-9+/=])',
  ASIA: '[A-Z2-7]{16}(?![A-Z0-9+/=])',
  AIza: `${WORD}{35}(?![A-Za-z0-9_+/-])`,
  dapi: `[0-9a-f]{32}(?![A-Za-z0-9])`,
  LTAI: `${ALNUM}{20}(?![A-Za-z0-9+/=])`,
  AKID: `${ALNUM}{32}(?![A-Za-z0-9+/=])`,
  AKCp: `${ALNUM}{69}(?![A-Za-z0-9+/=])`,
  ATBB: `${ALNUM}{32}(?![A-Za-z0-9+/=])`,
  ATATT3: '[A-Za-z0-9_=-]{150,}',
  ATCTT3: '[A-Za-z0-9_=-]{150,}',
  EZAK: `${ALNUM}{54}(?![A-Za-z0-9+/=])`,
  EZTK: `${ALNUM}{54}(?![A-Za-z0-9+/=])`,
  AQVN: `${WORD}{36}(?![A-Za-z0-9_+/-])`,
  cmVmd: `GtuO${ALNUM}{55}(?![A-Za-z0-9+/=])`,
  GR1348941: `${WORD}{20}(?![A-Za-z0-9_-])`,
  'pypi-AgE': `${WORD}{40,}`,
  ops_ey: '[A-Za-z0-9+/=_-]{80,}',
  'AGE-SECRET-KEY-1': '[A-Z0-9]{50,}',
  '1//0': `${WORD}{40,}`,
}

/** Words end like this too: `private-api-…`, `latest_…`. */
const ENDS_WORDS =
  /^(?:test_|live_|key_|key-|pubkey-|api-|API-|sdk-|mob-|pat\.|sat\.|secret_|secret-|console-|ext_|sc_|ApiKey-|v1\.0-|retool_|rootly_|unkey_|sl\.|t1\.|pa-|al-|fc-|hvs\.|mfa\.|oat_)$/

function gluedForm({ begins, follows }: KnownToken): string | undefined {
  if (Object.hasOwn(GLUED, begins)) return GLUED[begins]
  return begins.length >= 4 && /[_.-]$/.test(begins) && !ENDS_WORDS.test(begins) ? follows : undefined
}

/**
 * The published formats, in one table. The README names the maintained rule set that the tests compare it with; a test
 * fails where this table lacks a format of that set.
 */
const published: readonly KnownToken[] = [
  // Clouds
  ...each(
    'aws_access_key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA'],
    '[A-Z0-9]{16}(?![A-Z0-9])',
  ),
  { rule: 'aws_access_key', begins: 'A3T', follows: '[A-Z0-9]{17}(?![A-Za-z0-9])', isMixed: true },
  ...each('aws_bedrock_key', ['ABSK'], `${BASE64}{80,}={0,2}`),
  ...each('aws_bedrock_key', ['bedrock-api-key-'], `${BASE64}{16,}={0,2}`),
  ...each('google_api_key', ['AIza'], `${WORD}{32,}`),
  ...each('google_oauth_token', ['ya29.'], '[A-Za-z0-9_.-]{20,}'),
  ...each('google_oauth_secret', ['GOCSPX-'], `${WORD}{20,}`),
  ...each('google_refresh_token', ['1//0'], `${WORD}{30,}`),
  ...each('alibaba_access_key', ['LTAI'], `${ALNUM}{12,}`),
  ...each('tencent_secret_id', ['AKID'], `${ALNUM}{32,}`),
  ...each('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], `${HEX}{40,}`),
  ...each('heroku_key', ['HRKU-'], `${WORD}{30,}`),
  ...each('fly_token', ['fo1_'], `${WORD}{40,}`),
  ...each('fly_token', ['fm1a_', 'fm1r_', 'fm2_'], '[A-Za-z0-9+/_-]{60,}={0,3}'),
  ...each('cloudflare_token', ['cfk_', 'cfut_', 'cfat_'], `${ALNUM}{40,}`),
  ...each('cloudflare_origin_key', ['v1.0-'], `${HEX}{20,}-${HEX}{100,}`),
  ...each('databricks_token', ['dapi', 'dkea', 'dose'], `${HEX}{32}(?:-\\d)?(?![A-Za-z0-9])`),
  ...each('vercel_token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], `${ALNUM}{20,}`),
  ...each('vercel_token', ['vercel_blob_rw_'], `[A-Za-z0-9_]{30,}`),
  ...each('netlify_token', ['nfp_', 'nfc_', 'nfo_', 'nfu_'], `${ALNUM}{30,}`),
  ...each('planetscale_token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[A-Za-z0-9_=.-]{30,}'),
  ...each('supabase_key', ['sbp_', 'sb_secret_'], `${WORD}{20,}`),
  ...each('render_token', ['rnd_'], `${ALNUM}{28,}`),
  ...each('pulumi_token', ['pul-'], `${HEX}{40,}`),
  ...each('terraform_token', ['atlasv1.'], `[A-Za-z0-9_=-]{50,}`),
  ...each('vault_token', ['hvs.', 'hvb.', 'hvr.'], `${WORD}{20,}`),
  {
    rule: 'vault_token',
    begins: 's.',
    follows: '(?=[A-Za-z0-9]{0,64}[0-9])(?=[A-Za-z0-9]{0,64}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9_.(])',
    isMixed: true,
  },
  ...each(
    'doppler_token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    '[A-Za-z0-9_.-]{20,}',
  ),
  ...each('tailscale_key', ['tskey-'], '[a-z]{2,20}-[A-Za-z0-9_]{8,}-[A-Za-z0-9_]{10,}'),
  ...each('scalingo_token', ['tk-us-'], `${WORD}{40,}`),
  ...each('openshift_token', ['sha256~'], `${WORD}{40,}`),
  ...each('yandex_key', ['AQVN'], `${WORD}{30,}`),
  ...each('ibm_cloud_key', ['ApiKey-'], `${UUID}`),
  ...each('age_key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]{50,}'),
  ...each('onepassword_token', ['ops_ey'], '[A-Za-z0-9+/=_-]{80,}'),
  ...each(
    'onepassword_key',
    ['A3-'],
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
  ),
  ...each('yandex_token', ['y0_'], `${WORD}{50,}`),
  ...each('yandex_token', ['t1.'], `[A-Z0-9a-z_-]{10,}[=]{0,2}\\.[A-Z0-9a-z_-]{86}[=]{0,2}`),
  ...each('yandex_key', ['YCAJE', 'YCO'], `${WORD}{20,}`),
  ...each('volcengine_key', ['AKLT'], `${BASE64}{30,}={0,2}`),
  ...each('dropbox_token', ['sl.'], `(?=[A-Za-z0-9_-]{0,64}\\d)[A-Za-z0-9_-]{100,}`),
  ...each('hetzner_token', ['hcloud_'], `${ALNUM}{40,}`),
  ...each('neon_key', ['napi_'], `${ALNUM}{40,}`),
  ...each('xata_key', ['xau_'], `${ALNUM}{30,}`),
  ...each('upcloud_token', ['ucat_'], `${ALNUM}{20,}`),
  ...each('exoscale_key', ['EXO'], `${HEX}{24}(?![A-Za-z0-9])`),
  ...each('scaleway_key', ['SCW'], '[A-Z0-9]{17}(?![A-Za-z0-9])'),
  ...each('polar_token', ['polar_oat_', 'polar_pat_', 'polar_at_u_'], `${WORD}{30,}`),
  ...each('unkey_key', ['unkey_'], `${ALNUM}{20,}`),
  ...each('apify_token', ['apify_api_'], `${ALNUM}{30,}`),
  ...each('zuplo_key', ['zpka_'], `[A-Za-z0-9_]{30,}`),
  ...each('oracle_secret', ['ocid1.credential.'], `[A-Za-z0-9_.-]{30,}`),
  // Code hosting, packages, builds
  ...each(
    'github_token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    '[A-Za-z0-9_]{30,}(?:[A-Za-z0-9_.-]{20,})?',
  ),
  ...each('github_token', ['ghs_'], '[0-9]{1,20}_[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+'),
  ...each('github_token', ['github_pat_'], '[A-Za-z0-9_]{30,}'),
  ...each(
    'gitlab_token',
    [
      'glpat-',
      'gldt-',
      'glft-',
      'glffct-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glptt-',
      'glrt-',
      'glsoat-',
      'glcbt-',
      'glrtr-',
      'glwt-',
    ],
    '[A-Za-z0-9_.-]{16,}',
  ),
  ...each('gitlab_token', ['GR1348941'], `${WORD}{20,}`),
  ...each('bitbucket_token', ['ATCTT3', 'ATBB'], `[A-Za-z0-9_=-]{24,}`),
  ...each('atlassian_token', ['ATATT3', 'ATOA'], `[A-Za-z0-9_=-]{40,}`),
  ...each('npm_token', ['npm_'], '(?<!_npm_)(?=[A-Za-z0-9_]{0,64}\\d)[A-Za-z0-9_]{30,}'),
  ...each('pypi_token', ['pypi-AgE', 'pypi-AgN'], `${WORD}{40,}`),
  ...each('pypi_token', ['pypi-'], `${WORD}{80,}`),
  ...each('rubygems_token', ['rubygems_'], `${HEX}{40,}`),
  ...each('clojars_token', ['CLOJARS_', 'clojars_'], `${ALNUM}{50,}`),
  ...each('cratesio_token', ['cio'], `${ALNUM}{32}(?![A-Za-z0-9])`),
  ...each('nuget_key', ['oy2'], '[a-z0-9]{43}(?![A-Za-z0-9])'),
  ...each('artifactory_key', ['AKCp'], `${ALNUM}{60,}`),
  ...each('artifactory_token', ['cmVmd'], `${ALNUM}{50,}`),
  ...each('docker_token', ['dckr_pat_', 'dckr_oat_'], `${WORD}{20,}`),
  ...each('circleci_token', ['CCIPAT_', 'CCIPRJ_'], `[A-Za-z0-9_]{30,}`),
  ...each('buildkite_token', ['bkua_', 'bkaj_', 'bkpi_', 'bkct_'], `${ALNUM}{30,}`),
  ...each('gitlab_session', ['_gitlab_session='], `${HEX}{32}(?![A-Za-z0-9])`),
  ...each('gitea_token', ['gta_'], `${HEX}{40}(?![A-Za-z0-9])`),
  ...each('deno_token', ['ddp_', 'ddo_', 'ddw_'], `${ALNUM}{36,}`),
  ...each('jsr_token', ['jsrt_', 'jsrp_'], `${WORD}{30,}`),
  ...each('codeium_key', ['sk-ws-'], `${WORD}{30,}`),
  ...each('wakatime_key', ['waka_', 'waka_sec_', 'waka_tok_', 'waka_ref_'], `${UUID}|${ALNUM}{60,}`),
  ...each('adafruit_key', ['aio_'], `${ALNUM}{28}(?![A-Za-z0-9])`),
  ...each('posthog_key', ['phx_', 'phs_'], `${ALNUM}{40,}`),
  ...each('segment_token', ['sgp_'], `${ALNUM}{60,}`),
  ...each('hubspot_token', ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'], UUID),
  ...each('n8n_key', ['n8n_api_'], `${WORD}{30,}`),
  ...each('retool_token', ['retool_'], `(?=[a-z0-9]{0,40}\\d)[a-z0-9]{26,}`),
  ...each('inngest_key', ['signkey-prod-', 'signkey-test-', 'signkey-branch-'], `${HEX}{32,}`),
  ...each('trigger_key', ['tr_prod_', 'tr_dev_', 'tr_stg_', 'tr_pat_'], `${ALNUM}{20,}`),
  ...each('honeycomb_key', ['hcaik_', 'hcxik_', 'hcalk_', 'hcxlk_', 'hcamk_', 'hcxmk_'], `${ALNUM}{50,}`),
  ...each('axiom_token', ['xaat-', 'xapt-'], UUID),
  ...each('logfire_token', ['pylf_v1_', 'pylf_v2_'], `[A-Za-z0-9_]{20,}`),
  ...each('rootly_key', ['rootly_'], `${HEX}{60,}`),
  ...each('statsig_key', ['secret-', 'console-'], '[A-Za-z0-9]{40,}'),
  ...each('stytch_secret', ['secret-live-', 'secret-test-'], '[A-Za-z0-9=_-]{30,}'),
  ...each('pubnub_key', ['sec-c-'], `${ALNUM}{40,}|${UUID}`),
  ...each('bitrise_token', ['bitpat_', 'bitwat_'], `${WORD}{40,}`),
  ...each('monday_token', ['mdc_'], `${ALNUM}{40,}`),
  ...each('sonar_token', ['squ_', 'sqp_', 'sqa_'], `${ALNUM}{36,}`),
  ...each('sourcegraph_token', ['sgp_', 'slk_', 'sgd_'], `[A-Za-z0-9_]{36,}`),
  ...each('postman_key', ['PMAK-', 'PMAT-'], `[A-Za-z0-9-]{24,}`),
  ...each('readme_key', ['rdme_'], `${ALNUM}{60,}`),
  ...each('octopus_key', ['API-'], '[A-Z0-9]{25,}'),
  ...each('harness_key', ['pat.', 'sat.'], `${WORD}{20,}\\.[A-Za-z0-9]{20,}\\.[A-Za-z0-9]{16,}`),
  ...each('prefect_key', ['pnu_'], `${ALNUM}{30,}`),
  ...each('infracost_key', ['ico-'], `${ALNUM}{30,}`),
  ...each('snyk_token', ['snyk_uat.', 'snyk_sat.'], '[A-Za-z0-9_.-]{30,}'),
  ...each('sentry_token', ['sntryu_'], `${HEX}{50,}`),
  ...each('sentry_token', ['sntrys_'], '[A-Za-z0-9+/_=-]{40,}'),
  ...each('grafana_token', ['glsa_'], `${ALNUM}{30,}_${HEX}{8}`),
  ...each('grafana_token', ['glc_'], '[A-Za-z0-9+/]{30,}={0,3}'),
  ...each('grafana_token', ['eyJrIjoi'], '[A-Za-z0-9+/_-]{40,}={0,3}'),
  ...each(
    'newrelic_key',
    ['NRAK-', 'NRII-', 'NRIQ-', 'NRRA-', 'NRBR-', 'NRJS-', 'NRAA-', 'NRSP-'],
    '[A-Za-z0-9_-]{16,}',
  ),
  ...each('dynatrace_token', ['dt0c01.', 'dt0s01.', 'dt0s16.', 'dt0s08.'], `${ALNUM}{24}\\.${ALNUM}{40,}`),
  ...each('launchdarkly_key', ['sdk-', 'mob-', 'api-'], `${UUID}`),
  ...each('figma_token', ['figd_', 'figo_', 'figu_', 'figr_'], `${WORD}{38,}`),
  ...each('linear_key', ['lin_api_', 'lin_oauth_'], `[A-Za-z0-9_]{30,}`),
  ...each('notion_token', ['ntn_'], `${ALNUM}{40,}`),
  { rule: 'notion_token', begins: 'secret_', follows: `${ALNUM}{43}(?![A-Za-z0-9_])`, isMixed: true },
  ...each('airtable_token', ['pat'], `${ALNUM}{14}\\.${HEX}{64}`),
  ...each('asana_token', ['1/', '0/', '2/'], '\\d{12,}(?:/\\d+)?:[a-f0-9]{32}'),
  ...each('contentful_token', ['CFPAT-'], `${WORD}{40,}`),
  ...each('typeform_token', ['tfp_'], '[A-Za-z0-9_=.-]{40,}'),
  ...each('frameio_token', ['fio-u-'], '[A-Za-z0-9_=-]{60,}'),
  ...each('dnkey_token', ['dnkey-'], '[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}'),
  ...each(
    'authress_key',
    ['sc_', 'ext_', 'scauth_', 'authress_'],
    '[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,}',
  ),
  ...each('settlemint_token', ['sm_aat_', 'sm_pat_', 'sm_sat_'], `${ALNUM}{16,}`),
  ...each('clickhouse_key', ['4b1d'], `${ALNUM}{38}(?![A-Za-z0-9])`),
  ...each('intra42_secret', ['s-s4t2ud-', 's-s4t2af-'], `${HEX}{60,}`),
  ...each('adobe_secret', ['p8e-', 'p8_'], `[A-Za-z0-9_-]{30,}`),
  ...each('azure_devops_pat', ['AzDO_'], `${ALNUM}{40,}`),
  // Chat and mail
  ...each(
    'slack_token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe-', 'xoxc-', 'xoxd-'],
    '[A-Za-z0-9%-]{10,}',
  ),
  ...each('slack_token', ['xoxe.xoxb-', 'xoxe.xoxp-'], '[A-Za-z0-9-]{20,}'),
  ...each('slack_token', ['xapp-', 'xwfp-'], '\\d[A-Za-z0-9-]{18,}'),
  {
    rule: 'slack_webhook',
    begins: 'hooks.slack.com/',
    follows: '(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,}',
  },
  {
    rule: 'discord_webhook',
    begins: 'discord.com/',
    follows: 'api/(?:v\\d+/)?webhooks/\\d{10,}/[A-Za-z0-9_-]{20,}',
  },
  {
    rule: 'discord_webhook',
    begins: 'discordapp.com/',
    follows: 'api/(?:v\\d+/)?webhooks/\\d{10,}/[A-Za-z0-9_-]{20,}',
  },
  {
    rule: 'teams_webhook',
    begins: 'webhookb2/',
    follows:
      '[A-Za-z0-9-]{30,}@[A-Za-z0-9-]{30,}/IncomingWebhook/[A-Za-z0-9]{20,}/[A-Za-z0-9-]{30,}(?:/[A-Za-z0-9_-]+)?',
  },
  { rule: 'zapier_webhook', begins: 'hooks.zapier.com/', follows: 'hooks/catch/[A-Za-z0-9]+/[A-Za-z0-9]+/?' },
  ...each('sendgrid_key', ['SG.'], `${WORD}{6,}\\.${WORD}{8,}`),
  ...each('sendinblue_key', ['xkeysib-', 'xsmtpsib-'], '[A-Za-z0-9-]{60,}'),
  ...each('mailgun_key', ['key-'], '[0-9a-z]{32}(?![A-Za-z0-9-])'),
  ...each('mailgun_key', ['pubkey-'], `${HEX}{32}(?![A-Za-z0-9])`),
  ...each('mailersend_token', ['mlsn.'], `${HEX}{60,}`),
  ...each('onesignal_key', ['os_v2_app_', 'os_v2_org_'], '[a-z2-7]{80,}'),
  ...each('telnyx_key', ['KEY0'], `${ALNUM}{30,}_${ALNUM}{20,}`),
  ...each('discord_token', ['mfa.'], '[A-Za-z0-9_-]{80,}'),
  ...each('resend_key', ['re_'], `[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`),
  { rule: 'twilio_key', begins: 'SK', follows: '[0-9a-z]{32}(?![A-Za-z0-9])', isMixed: true },
  { rule: 'twilio_sid', begins: 'AC', follows: '[0-9a-z]{32}(?![A-Za-z0-9])', isMixed: true },
  ...each('facebook_token', ['EAACEdEose0cBA', 'EAAC', 'EAAM', 'EAAB', 'EAAG'], `${NOT_INSIDE}${ALNUM}{60,}`),
  ...each('instagram_token', ['IGQVJ', 'IGQW'], `${WORD}{60,}`),
  ...each('twitter_bearer', ['AAAAAAAAAAAAAAAAAAAAA'], '[A-Za-z0-9%]{40,}'),
  // Payments and shops
  ...each(
    'stripe_key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_', 'sk_prod_', 'rk_prod_'],
    '[A-Za-z0-9]{10,}',
  ),
  ...each('stripe_webhook_secret', ['whsec_'], '[A-Za-z0-9+/]{24,}={0,2}'),
  ...each('square_token', ['EAAA'], `${NOT_INSIDE}${WORD}{56,}`),
  ...each('square_token', ['sq0atp-', 'sq0csp-', 'sq0idp-'], `${WORD}{20,}`),
  ...each('shopify_token', ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'], `${ALNUM}{30,}`),
  ...each('plaid_token', ['access-sandbox-', 'access-development-', 'access-production-'], UUID),
  ...each(
    'flutterwave_key',
    ['FLWSECK_TEST-', 'FLWSECK-', 'FLWPUBK_TEST-', 'FLWPUBK-'],
    '[A-Za-z0-9]{12,}(?:-X)?',
  ),
  ...each('shippo_token', ['shippo_live_', 'shippo_test_'], `${HEX}{36,}`),
  ...each('duffel_token', ['duffel_live_', 'duffel_test_'], '[A-Za-z0-9_=-]{40,}'),
  ...each('easypost_key', ['EZAK', 'EZTK'], `${ALNUM}{50,}`),
  ...each('paddle_key', ['pdl_live_apikey_', 'pdl_sdbx_apikey_', 'pdl_ntfset_'], `[A-Za-z0-9_+/]{30,}`),
  ...each('paypal_token', ['A21AA'], `${WORD}{80,}`),
  ...each('adyen_key', ['AQE'], '[a-z]hmf[A-Za-z0-9+/=*.%^<>(){}~;:?!@&-]{40,}'),
  ...each('razorpay_key', ['rzp_live_', 'rzp_test_'], `${ALNUM}{14,}`),
  ...each('lob_key', ['live_', 'test_'], `(?:pub_)?${HEX}{31,}(?![A-Za-z0-9_])`),
  ...each('gocardless_token', ['live_'], '(?=[A-Za-z0-9_=-]{0,64}\\d)[A-Za-z0-9_=-]{40,}'),
  ...each('mapbox_token', ['sk.ey', 'pk.ey', 'tk.ey'], `${WORD}{20,}\\.${WORD}{10,}`),
  ...each('mapbox_token', ['pk.', 'sk.'], `${ALNUM}{50,}\\.${ALNUM}{20,}`),
  // Language models
  ...each('anthropic_key', ['sk-ant-'], `${WORD}{24,}`),
  ...each('openai_key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-service-'], `${WORD}{20,}`),
  ...each('openrouter_key', ['sk-or-v1-', 'sk-or-'], `${WORD}{24,}`),
  ...each('langsmith_key', ['lsv2_pt_', 'lsv2_sk_'], `[A-Za-z0-9_]{30,}`),
  ...each('langfuse_key', ['sk-lf-', 'pk-lf-'], UUID),
  ...each('openai_key', ['sk-'], `[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}`),
  ...each('model_api_key', ['sk-'], `(?=[A-Za-z0-9_-]{0,64}\\d)[A-Za-z0-9_-]{32,}`),
  ...each('huggingface_token', ['hf_', 'api_org_'], `${ALNUM}{30,}`),
  ...each('groq_key', ['gsk_'], `${ALNUM}{40,}`),
  ...each('perplexity_key', ['pplx-'], `${ALNUM}{40,}`),
  ...each('replicate_token', ['r8_'], `${ALNUM}{37,}`),
  ...each('xai_key', ['xai-'], `${ALNUM}{60,}`),
  ...each('fireworks_key', ['fw_'], '(?=[A-Za-z0-9]{0,64}\\d)(?=[A-Za-z0-9]{0,64}[A-Z])[A-Za-z0-9]{22,}'),
  ...each('anyscale_key', ['esecret_'], `${ALNUM}{20,}`),
  ...each('together_key', ['tgp_v1_'], `${WORD}{30,}`),
  ...each('cerebras_key', ['csk-'], `(?=[a-z0-9]{0,64}\\d)[a-z0-9]{40,}`),
  ...each('jina_key', ['jina_'], `${WORD}{50,}`),
  ...each('firecrawl_key', ['fc-'], `${HEX}{32}(?![A-Za-z0-9])`),
  ...each('e2b_key', ['e2b_'], `${HEX}{40}(?![A-Za-z0-9])`),
  ...each('browserbase_key', ['bb_live_', 'bb_test_'], `${WORD}{20,}`),
  ...each('context7_key', ['ctx7sk-', 'ctx7sk_'], `${WORD}{20,}`),
  ...each(
    'voyage_key',
    ['pa-', 'al-'],
    `(?=[A-Za-z0-9_-]{0,64}[A-Z])(?=[A-Za-z0-9_-]{0,64}\\d)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])`,
  ),
  ...each('wandb_key', ['wandb_v1_'], `[A-Za-z0-9_]{40,}`),
  ...each('langchain_key', ['ls__'], `${HEX}{32}(?![A-Za-z0-9])`),
  ...each('helicone_key', ['sk-helicone-', 'pk-helicone-'], `${WORD}{20,}`),
  ...each('litellm_key', ['sk-litellm-'], `${WORD}{16,}`),
  ...each('tavily_key', ['tvly-'], `${WORD}{28,}`),
  ...each('pinecone_key', ['pcsk_'], `[A-Za-z0-9_]{40,}`),
  ...each('cursor_key', ['key_'], `${HEX}{64}(?![A-Za-z0-9])`),
  ...each('nvidia_key', ['nvapi-'], `${WORD}{40,}`),
  ...each('elevenlabs_key', ['sk_'], `${HEX}{48}(?![A-Za-z0-9])`),
  // Signed tokens
  {
    rule: 'jwt',
    begins: 'eyJ',
    follows: '(?<!base64,eyJ)[A-Za-z0-9_=-]{8,}\\.(?:[A-Za-z0-9_=-]{6,}|\\.)\\.?[A-Za-z0-9_=./+-]*',
  },
  { rule: 'jwt', begins: 'eyA', follows: '[A-Za-z0-9_=-]{8,}\\.ey[A-Za-z0-9_=-]{6,}\\.[A-Za-z0-9_=./+-]*' },
  {
    rule: 'jwt',
    begins: 'ewog',
    follows: '[A-Za-z0-9_=-]{8,}\\.(?:ey|ew)[A-Za-z0-9_=-]{6,}\\.[A-Za-z0-9_=./+-]*',
  },
  { rule: 'jwt_base64', begins: 'ZXlK', follows: '[A-Za-z0-9+/_=-]{60,}' },
  // Docker's config, as clusters store it.
  ...each('docker_auth_base64', ['eyJhdXRo'], '[A-Za-z0-9+/_=-]{16,}'),
  ...each('secret_pem_base64', ['LS0tLS1CRUdJTi'], '[A-Za-z0-9+/_=-]{40,}'),
]

export const knownTokens: readonly KnownToken[] = published.map((token) => {
  const glued = gluedForm(token)
  return glued === undefined ? token : { ...token, glued }
})
