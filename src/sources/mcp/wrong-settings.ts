/** What the settings say cannot work: trying again would change nothing. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
}
