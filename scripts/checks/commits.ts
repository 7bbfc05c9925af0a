// Conventional Commits, checked by one expression: commitlint would add 80 packages to each install.

const subject = /^(?:feat|fix|refactor|docs|test|perf|build|ci|chore|revert)(?:\([a-z0-9-]+\))?!?: \S/
const maxLength = 72

/** Returns a message for each subject that is not a conventional one. Lines are `<hash> <subject>`. */
export const commitProblems = (lines: string[]) =>
  lines.flatMap((line) => {
    const [hash = '', ...words] = line.split(' ')
    const text = words.join(' ')
    if (!subject.test(text))
      return [`${hash}: begin the subject with a type, such as "fix(dialog): …": ${text}`]
    return text.length > maxLength ? [`${hash}: shorten the subject to ${maxLength} characters: ${text}`] : []
  })
