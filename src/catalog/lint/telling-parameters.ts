/** Parameters that a model fills with what it knows of itself and of the conversation, because of their names alone. */
const OF_THE_MODEL =
  /^(?:(?:full|entire|whole|current|all|the|your|users?|original|previous|prior|last|assistant|model|agent|llm|claude|gpt)_)*(?:system_(?:prompt|message|instructions)|(?:conversation|chat|message|dialog|prompt)_(?:history|log|transcript|so_far|context)|chain_of_thought|reasoning_trace|inner_monologue|thought_process|(?:user_)?(?:prompt|request|query)_verbatim|(?:users?_)?original_(?:prompt|request|message)|(?:available_|all_)?tools?_(?:list|names|available|definitions|descriptions)|list_of_(?:all_)?tools|available_tools|all_tools|(?:tool|previous)_(?:call|tool|result)s?_(?:history|results?|outputs?|log)|previous_(?:messages|conversation|results)|(?:llm|ai|model)_name|model_(?:name|version|identity)|agent_instructions|developer_message|memory_dump)$/
const OF_FILES =
  /^(?:contents?|text|data|output|result|value)s?_(?:from_|of_)(?:reading_|the_|file_|your_)*\w*(?:ssh|id_rsa|env|passwd|credential|secret|key|config|history|token|aws|kube)\w*$|^(?:read|cat|dump)_\w*(?:ssh|id_rsa|env_file|passwd|credentials?)\w*$/

/** Tools that are about models have such parameters of their own right. */
const ABOUT_MODELS =
  /\b(?:llm|language models?|models?|prompts?|chat|assistants?|agents?|conversations?|completions?|messages?|ai|gpt|claude|gemini|openai|anthropic|training|inference|embedding|reasoning|thinking|thought|tools?)\b/i

/** What a parameter asks for by its name; nothing where the tool has a reason for it. */
export function findTellingParameter(name: string, about: string): string | undefined {
  const plain = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s.-]+/g, '_')
    .toLowerCase()
  if (OF_FILES.test(plain)) return 'asks for a private file by the name of a parameter'
  if (!OF_THE_MODEL.test(plain) || ABOUT_MODELS.test(about)) return undefined
  return 'asks for what the model knows by the name of a parameter'
}
