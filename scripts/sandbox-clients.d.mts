export declare const oauthAtSandbox: (sandboxUrl: string) => Record<string, string>
export declare const telegramAtSandbox: (sandboxUrl: string) => Record<string, string>
export declare const moonPayAtSandbox: (sandboxUrl: string) => Record<string, string>
