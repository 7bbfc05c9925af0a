/** What the environment says, parsed once at start. */

export type ServerConfig = {
  readonly host: string
  readonly port: number
  /** Where the dialog page, its API and the loader live. */
  readonly dialogOrigin: string
  /** Where the wallet frame lives. */
  readonly walletOrigin: string
  /** `iss` of every token. */
  readonly issuer: string
  /** `postgres://…`, or the path of an SQLite file. */
  readonly databaseUrl: string
  readonly masterKeyFile: string
  readonly smtpUrl: string
  readonly mailFrom: string
  /** Networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  readonly dialogDist: string
  readonly walletDist: string
  readonly loaderDist: string
}
