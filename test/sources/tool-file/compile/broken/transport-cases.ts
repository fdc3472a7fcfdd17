import { DATABASE, database, lambda, mcp, queue, REST, sql, tool, type BrokenCase } from './make-cases.js'

/** Transports. */
export const transportCases: readonly BrokenCase[] = [
  tool('no transport', [[`transport:\n${REST}`, '']], 'aml/missing-transport 1:1'),
  tool(
    'a transport that is a text',
    [[`transport:\n${REST}`, 'transport: rest-api\n']],
    'aml/wrong-type 21:1',
  ),
  tool(
    'a function with a transport',
    [['type: retrieval\n', 'type: function\n']],
    'aml/function-transport 21:1',
  ),
  tool('an unknown transport', [['type: rest-api', 'type: grpc']], 'aml/invalid-transport-type 22:9'),
  tool('a misspelled transport', [['type: rest-api', 'type: rest_api']], 'aml/invalid-transport-type 22:9'),
  tool('a transport without type', [['  type: rest-api\n', '']], 'aml/missing-transport-field 21:1'),
  tool('no credentials', [['  credentials:\n    scheme: none\n', '']], 'aml/missing-credentials 21:1'),
  tool('no base_url', [['  base_url: https://kb.example.com\n', '']], 'aml/missing-transport-field 21:1'),
  tool('no endpoint', [['  endpoint: GET /search\n', '']], 'aml/missing-transport-field 21:1'),
  tool(
    'a base_url with a slash at its end',
    [['kb.example.com', 'kb.example.com/v1/']],
    'aml/base-url-trailing-slash 23:13',
  ),
  tool(
    'a base_url without scheme',
    [['https://kb.example.com', 'kb.example.com']],
    'aml/invalid-base-url 23:13',
  ),
  tool('a base_url with ftp', [['https://', 'ftp://']], 'aml/invalid-base-url 23:13'),
  tool('a base_url with a query', [['kb.example.com', 'kb.example.com/?a=b']], 'aml/invalid-base-url 23:13'),
  tool('a base_url with a password', [['https://', 'https://me:secret@']], 'aml/secret-in-file 23:13'),
  tool('a base_url that is a number', [['https://kb.example.com', '42']], 'aml/invalid-base-url 23:13'),
  tool('an endpoint without method', [['GET /search', '/search']], 'aml/invalid-endpoint 24:13'),
  tool('an endpoint in lower case', [['GET /search', 'get /search']], 'aml/invalid-endpoint 24:13'),
  tool(
    'an endpoint with an unknown method',
    [['GET /search', 'FETCH /search']],
    'aml/invalid-endpoint 24:13',
  ),
  tool('an endpoint without a slash', [['GET /search', 'GET search']], 'aml/invalid-endpoint 24:13'),
  tool(
    'an endpoint with an open brace',
    [['GET /search', 'GET /search/{query']],
    'aml/invalid-endpoint 24:13',
  ),
  tool(
    'a path field that is no input field',
    [['GET /search', 'GET /search/{id}']],
    'aml/path-parameter 24:13',
  ),
  tool(
    'a path field that is not required',
    [
      ['GET /search', 'GET /search/{query}'],
      ['    required: [query]\n', ''],
    ],
    'aml/path-parameter 23:13',
  ),
  tool('a path field with a colon', [['GET /search', 'GET /search/:query']], 'aml/colon-parameter 24:13'),
  tool(
    'two path fields with a colon, one of which is no input field',
    [['GET /search', 'GET /search/:query?page=:page']],
    'aml/colon-parameter 24:13',
  ),
  tool(
    'a misspelled field of the transport',
    [['  endpoint', '  timeout: 5000\n  endpoint']],
    'aml/unknown-field 24:3',
  ),
  tool(
    'a field of another transport',
    [['  endpoint', '  engine: mysql\n  endpoint']],
    'aml/foreign-transport-field 24:3',
  ),
  tool('a timeout of 0', [['  endpoint', '  timeout_ms: 0\n  endpoint']], 'aml/invalid-timeout 24:15'),
  tool(
    'a timeout that is a text',
    [['  endpoint', '  timeout_ms: 5s\n  endpoint']],
    'aml/invalid-timeout 24:15',
  ),
  tool(
    'max_attempts of 0',
    [['  endpoint', '  retry_policy: { max_attempts: 0 }\n  endpoint']],
    'aml/invalid-retry-policy 24:33',
  ),
  tool(
    'on_status with a text',
    [['  endpoint', '  retry_policy: { on_status: [503, "5xx"] }\n  endpoint']],
    'aml/invalid-retry-policy 24:36',
  ),
  tool(
    'on_status that is a number',
    [['  endpoint', '  retry_policy: { on_status: 503 }\n  endpoint']],
    'aml/invalid-retry-policy 24:30',
  ),
  tool(
    'a negative backoff',
    [['  endpoint', '  retry_policy: { backoff_ms: -1 }\n  endpoint']],
    'aml/invalid-retry-policy 24:31',
  ),
  tool(
    'a retry_policy that is a number',
    [['  endpoint', '  retry_policy: 3\n  endpoint']],
    'aml/invalid-retry-policy 24:3',
  ),
  tool(
    'attempts without statuses',
    [['  endpoint', '  retry_policy: { max_attempts: 2, on_status: [] }\n  endpoint']],
    'aml/retry-without-status 24:33',
  ),
  tool(
    'an action that does not say its attempts',
    [
      ['type: retrieval\n', 'type: action\n'],
      ['GET', 'POST'],
      ['None', 'Writes.'],
    ],
    'aml/unstated-attempts 21:1',
  ),
  tool(
    'an action that is repeated',
    [
      ['type: retrieval\n', 'type: action\n'],
      ['GET', 'POST'],
      ['None', 'Writes.'],
      ['  endpoint', '  retry_policy: { max_attempts: 3 }\n  endpoint'],
    ],
    'aml/repeated-action 24:33',
  ),
  tool('a retrieval that deletes', [['GET', 'DELETE']], 'aml/retrieval-writes 24:13'),
  lambda('an unknown provider', [['provider: aws', 'provider: ibm']], 'aml/invalid-provider 23:13'),
  lambda(
    'a function_id that is no ARN',
    [['arn:aws:lambda:eu-west-1:123456789012:function:search', 'search']],
    'aml/invalid-function-id 24:16',
  ),
  lambda(
    'a function_id of another provider',
    [['provider: aws', 'provider: gcp']],
    'aml/invalid-function-id 24:16',
  ),
  lambda(
    'no function_id',
    [['  function_id: arn:aws:lambda:eu-west-1:123456789012:function:search\n', '']],
    'aml/missing-transport-field 21:1',
  ),
  lambda(
    'no invocation_type',
    [['  invocation_type: RequestResponse\n', '']],
    'aml/missing-transport-field 21:1',
  ),
  lambda(
    'a misspelled invocation_type',
    [['RequestResponse', 'requestResponse']],
    'aml/invalid-invocation-type 25:20',
  ),
  lambda(
    'a retrieval without an answer',
    [['RequestResponse', 'Event']],
    'aml/retrieval-without-answer 25:20',
  ),
  lambda(
    'an unknown payload_format',
    [['  credentials', '  payload_format: xml\n  credentials']],
    'aml/invalid-payload-format 26:19',
  ),
  mcp('no url', [['  url: https://mcp.example.com\n', '']], 'aml/missing-transport-field 21:1'),
  mcp('a url that is a command', [['https://mcp.example.com', 'npx server']], 'aml/invalid-url 23:8'),
  mcp('no tool_name', [['  tool_name: search\n', '']], 'aml/missing-transport-field 21:1'),
  mcp(
    'a protocol_version that is no date',
    [['  credentials', '  protocol_version: "1.0"\n  credentials']],
    'aml/invalid-protocol-version 25:21',
  ),
  mcp('iam-role on mcp', [['scheme: none', 'scheme: iam-role']], 'aml/scheme-of-transport 25:26'),
  queue('an unknown queue', [['provider: aws', 'provider: rabbitmq']], 'aml/invalid-provider 23:13'),
  queue(
    'no queue_url',
    [['  queue_url: https://sqs.example.com/1/questions\n', '']],
    'aml/missing-transport-field 21:1',
  ),
  queue(
    'a queue_url that is a name',
    [['https://sqs.example.com/1/questions', 'questions']],
    'aml/invalid-queue-url 24:14',
  ),
  queue(
    'a queue_url of another provider',
    [
      ['provider: aws', 'provider: gcp'],
      ['https://sqs.example.com/1/questions', 'questions'],
      ['https://sqs.example.com/1/answers', 'projects/a/topics/b'],
    ],
    'aml/invalid-queue-url 24:14',
  ),
  queue(
    'an unknown message_format',
    [['  credentials', '  message_format: protobuf\n  credentials']],
    'aml/invalid-message-format 26:19',
  ),
  queue(
    'avro without a schema',
    [['  credentials', '  message_format: avro\n  credentials']],
    'aml/missing-avro-schema 26:19',
  ),
  queue(
    'a retrieval without answers',
    [['  response_queue_url: https://sqs.example.com/1/answers\n', '']],
    'aml/retrieval-without-answer 21:1',
  ),
  queue('none on a queue', [['scheme: iam-role', 'scheme: none']], 'aml/scheme-of-transport 26:26'),
  database('an unknown engine', [['engine: postgresql', 'engine: oracle']], 'aml/invalid-engine 23:11'),
  database('a misspelled engine', [['engine: postgresql', 'engine: postgres']], 'aml/invalid-engine 23:11'),
  database(
    'an unknown query_method',
    [['query_method: parameterised-sql', 'query_method: string']],
    'aml/invalid-query-method 24:17',
  ),
  database(
    'a query_method in another spelling',
    [['query_method: parameterised-sql', 'query_method: parameterized-sql']],
    'aml/invalid-query-method 24:17',
  ),
  database(
    'bearer-token on a database',
    [['scheme: service-account', 'scheme: bearer-token']],
    'aml/scheme-of-transport 26:13',
  ),
  database(
    'iam-role without connection',
    [
      [
        '    scheme: service-account\n    source: env\n    name: DB\n',
        '    scheme: iam-role\n    host: db\n    port: 5432\n    database: shop\n    username: me\n',
      ],
    ],
    'aml/missing-connection-field 25:3',
  ),
  database(
    'iam-role on snowflake',
    [
      ['engine: postgresql', 'engine: snowflake'],
      ['    scheme: service-account\n    source: env\n    name: DB\n', '    scheme: iam-role\n'],
    ],
    'aml/iam-role-engine 26:13',
  ),
  database(
    'a port that is too large',
    [
      [
        '    scheme: service-account\n    source: env\n    name: DB\n',
        '    scheme: iam-role\n    host: db\n    port: 543210\n    database: shop\n    username: me\n    region: eu-west-1\n',
      ],
    ],
    'aml/credential-value 28:11',
  ),
  database(
    'a parameter of another engine',
    [
      [
        '    scheme: service-account\n    source: env\n    name: DB\n',
        '    scheme: iam-role\n    project: a\n    host: db\n    port: 1\n    database: shop\n    username: me\n    region: eu-west-1\n',
      ],
    ],
    'aml/credential-field 27:5',
  ),
  tool('a database tool without SQL', [[REST, DATABASE]], 'aml/missing-sql 24:17'),
  sql(
    'a parameter that is no input field',
    'select 1\nwhere a = :query and b = :limit',
    'aml/sql-parameter 2:26 (sql)',
  ),
  sql(
    'a misspelled parameter',
    'select 1 where a = :qury',
    'aml/sql-parameter 1:20 (sql)',
    'aml/unused-input 15:7',
  ),
  sql('a quote that is not closed in the SQL', `select :query, 'a`, 'aml/sql-syntax 1:16 (sql)'),
  sql('a positional parameter', 'select $1, :query', 'aml/sql-placeholder 1:8 (sql)'),
  sql('two statements', 'select :query; delete from t', 'aml/sql-statements 1:1 (sql)'),
  sql('an empty SQL file', '-- nothing\n', 'aml/empty-sql 1:1 (sql)', 'aml/unused-input 15:7'),
  sql(
    'an SQL that writes in a retrieval',
    '-- :x\ndelete from t where a = :query',
    'aml/retrieval-writes 2:1 (sql)',
  ),
]
