export declare const tracesIn: (text: string) => { line: number; what: string; found: string }[]
