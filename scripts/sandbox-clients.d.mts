export declare const oauthAtSandbox: (sandboxUrl: string) => Record<string, string>
