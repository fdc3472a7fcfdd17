export const piiClasses = ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] as const

/** Personal data that is not secret. Searched for only where the config asks for it. */
export type PiiClass = (typeof piiClasses)[number]
