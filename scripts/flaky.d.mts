type Spec = { file: string; line: number; title: string; tests: { status: string }[] }
type Suite = { suites?: Suite[]; specs?: Spec[] }

export declare const passedWhenRunAgain: (report: Suite) => string[]
