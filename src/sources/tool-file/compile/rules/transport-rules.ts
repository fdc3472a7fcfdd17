import { error, warning } from './rule.js'

/** Problems of `transport`, its credentials, and the files beside a tool file. */
export const transportRules = {
  'aml/missing-transport': error('The transport is missing', 'Add transport; only type function needs none.'),
  'aml/function-transport': warning(
    'A function has a transport',
    'Remove transport, or use another type; a function runs in the process.',
  ),
  'aml/invalid-transport-type': error(
    'The type of the transport is not known',
    'Use rest-api, lambda, mcp, message-queue or database.',
  ),
  'aml/missing-transport-field': error('The transport lacks a required field', 'Add the field.'),
  'aml/foreign-transport-field': warning(
    'A field belongs to another transport',
    'Remove the field; it has no effect on this transport.',
  ),
  'aml/invalid-timeout': error('timeout_ms is not valid', 'Use a whole number of milliseconds, at least 1.'),
  'aml/invalid-retry-policy': error(
    'A value of retry_policy is not valid',
    'Use max_attempts from 1, statuses from 100 to 599 in on_status, and backoff_ms from 0.',
  ),
  'aml/retry-without-status': warning(
    'max_attempts has no effect',
    'Remove the empty on_status, or set max_attempts to 1.',
  ),
  'aml/unstated-attempts': warning(
    'An action does not say how often it is sent',
    'Set retry_policy.max_attempts; without it the call is sent once, although the default of AML is 3.',
  ),
  'aml/repeated-action': warning(
    'An action may be sent several times',
    'Set max_attempts to 1, unless the service recognises repeated calls.',
  ),
  'aml/retrieval-writes': warning(
    'A retrieval tool seems to write',
    'Use type action, or a method or statement that only reads.',
  ),
  'aml/retrieval-without-answer': warning(
    'A retrieval tool gets no answer',
    'Use invocation_type RequestResponse or a response_queue_url.',
  ),
  'aml/invalid-base-url': error(
    'base_url is not valid',
    'Write an http or https address without query, fragment and password.',
  ),
  'aml/base-url-trailing-slash': error('base_url ends with a slash', 'Remove the slash at its end.'),
  'aml/plain-http': warning('A secret is sent without encryption', 'Use https.'),
  'aml/invalid-endpoint': error('endpoint is not valid', 'Write a method and a path, such as "POST /send".'),
  'aml/path-parameter': error(
    'A field in the path is no required input field',
    'Add the field to the properties and to required of interface.input.',
  ),
  'aml/colon-parameter': warning(
    'The path has a field with a colon, which is sent as it is',
    'Write {id} for :id; fields of the input are in braces.',
  ),
  'aml/invalid-url': error('url is not valid', 'Write an http or https address without a password.'),
  'aml/invalid-protocol-version': error(
    'protocol_version is not valid',
    'Write the date of a revision of MCP, such as "2025-06-18".',
  ),
  'aml/invalid-provider': error(
    'The provider is not known',
    'Use aws, gcp or azure; queues also have kafka.',
  ),
  'aml/invalid-function-id': error(
    'function_id does not fit the provider',
    'aws: an ARN. gcp: projects/…/functions/…. azure: a resource path or an https address.',
  ),
  'aml/invalid-invocation-type': error('invocation_type is not known', 'Use RequestResponse or Event.'),
  'aml/invalid-payload-format': error('payload_format is not known', 'Use json or raw.'),
  'aml/invalid-message-format': error('message_format is not known', 'Use json or avro.'),
  'aml/invalid-queue-url': error(
    'The address of a queue is not valid',
    'Write its full URL, or the path of its topic.',
  ),
  'aml/invalid-engine': error(
    'The engine is not known',
    'Use postgresql, mysql, mssql, bigquery, snowflake or rds-data-api.',
  ),
  'aml/invalid-query-method': error('query_method is not known', 'Use parameterised-sql or orm.'),
  'aml/missing-credentials': error('The transport has no credentials', 'Add credentials with a scheme.'),
  'aml/missing-scheme': error('The credentials have no scheme', 'Add scheme.'),
  'aml/unknown-scheme': error(
    'The scheme is not known',
    'Use none, iam-role, api-key, bearer-token, oauth2 or service-account.',
  ),
  'aml/scheme-of-transport': error(
    'The scheme does not go with the transport',
    'Use a scheme that the transport has.',
  ),
  'aml/service-account-on-rest-api': warning(
    'service-account is used on rest-api',
    'Use bearer-token; the secret is sent as a bearer token.',
  ),
  'aml/missing-source': error('The credentials have no source', 'Say where the secret is read from.'),
  'aml/unknown-source': error(
    'The source is not known',
    'Use env, aws_secrets_manager, gcp_secret_manager or azure_key_vault.',
  ),
  'aml/missing-source-field': error('The source lacks a required field', 'Add the field.'),
  'aml/missing-header': error('api-key has no header', 'Add the header that carries the key.'),
  'aml/missing-broker-field': error('oauth2 lacks provider or function_id', 'Add the field.'),
  'aml/credential-value': error('A field of the credentials has a wrong value', 'Correct the value.'),
  'aml/credential-field': error(
    'A field of the credentials belongs to another scheme or source',
    'Remove the field, or correct the scheme or the source.',
  ),
  'aml/secret-in-file': error(
    'The file contains a secret',
    'Remove the secret; say with source where it is read from.',
  ),
  'aml/likely-secret': warning(
    'A value looks like a key, a token or a password',
    'Remove the secret; say with source where it is read from.',
  ),
  'aml/missing-connection-field': error(
    'iam-role on a database lacks a connection parameter',
    'Add the parameter to the credentials.',
  ),
  'aml/iam-role-engine': error('The engine has no iam-role', 'Use service-account.'),
  'aml/missing-sql': error('The SQL of the tool is missing', 'Write the statement into tools/<tool_id>.sql.'),
  'aml/empty-sql': error('The SQL file has no statement', 'Write the statement.'),
  'aml/sql-syntax': error('A quote or a comment in the SQL has no end', 'Close it.'),
  'aml/sql-parameter': error(
    'A parameter of the SQL is no input field',
    'Add the field to interface.input, or correct the parameter.',
  ),
  'aml/sql-placeholder': error(
    'The SQL has a placeholder without a name',
    'Write :field, with the name of an input field.',
  ),
  'aml/sql-statements': error(
    'The SQL has several statements',
    'Write one statement; call a procedure for more.',
  ),
  'aml/unused-input': warning('An input field is not used by the SQL', 'Use it as :field, or remove it.'),
  'aml/unused-sql': warning('An SQL file is not used', 'Remove it, or name it like its tool.'),
  'aml/missing-avro-schema': error(
    'The Avro schema of the tool is missing',
    'Write the schema into tools/<tool_id>.avsc.',
  ),
  'aml/invalid-avro-schema': error(
    'The Avro schema is not valid',
    'Write a schema of type record as JSON, or a list of two: for messages and for answers.',
  ),
  'aml/unused-avro-schema': warning('An Avro schema is not used', 'Remove it, or name it like its tool.'),
} as const
