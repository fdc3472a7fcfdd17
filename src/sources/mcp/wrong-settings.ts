/** The settings cannot work: a retry would change nothing. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
}
