type Spec = { file: string; line: number; title: string; tests: { status: string }[] }
type Suite = { suites?: Suite[]; specs?: Spec[] }
type TestOfVitest = { fullName: string; status: string; failureMessages: string[] }
type FileOfVitest = { name: string; status: string; assertionResults: TestOfVitest[] }

export declare const notesOfPlaywright: (report: Suite) => string[]
export declare const notesOfVitest: (report: { testResults: FileOfVitest[] }, root: string) => string[]
export declare const notesOfLines: (output: string) => string[]
