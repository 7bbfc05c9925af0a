// What is wrong with a mutant: for each kind of node, what is written in its place.
//
// Sentences are for people and not decided upon: a text with a space in it is left as it is.

const binary = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
}
const assignment = { '+=': '-=', '-=': '+=' }
const methods = new Map(Object.entries({ min: 'max', max: 'min', some: 'every', every: 'some' }))

const isText = ({ type, value }) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
const isSentence = (text) => /\s/.test(text)

/** `of` gives the source of a node. Each answers the ways in which the node may be wrong. */
export const expressionMutants = {
  BinaryExpression: ({ left, operator, right }, of) => {
    const isJoin = operator === '+' && (isText(left) || isText(right))
    return binary[operator] && !isJoin ? [`${of(left)} ${binary[operator]} ${of(right)}`] : []
  },
  LogicalExpression: ({ left, right }, of) => [of(left), of(right)],
  ConditionalExpression: ({ consequent, alternate }, of) => [of(consequent), of(alternate)],
  UnaryExpression: ({ operator, argument }, of) => (['!', '-'].includes(operator) ? [of(argument)] : []),
  AssignmentExpression: ({ left, operator, right }, of) =>
    assignment[operator] ? [`${of(left)} ${assignment[operator]} ${of(right)}`] : [],
  AwaitExpression: ({ argument }, of) => [of(argument)],
  ArrayExpression: ({ elements }) => (elements.length > 0 ? ['[]'] : []),
  ObjectExpression: ({ properties }) => (properties.length > 0 ? ['{}'] : []),
  TemplateLiteral: ({ quasis }) =>
    quasis.some(({ value }) => isSentence(value.cooked.trim())) ? [] : ["''"],
  Literal: ({ value, regex }, of) => {
    if (regex) return regexMutants(regex)
    if (typeof value === 'boolean') return [String(!value)]
    if (typeof value === 'number') return [of({ value: value + 1 })]
    if (typeof value === 'string') return isSentence(value) ? [] : [value === '' ? "'mutant'" : "''"]
    return []
  },
  CallExpression: ({ callee, arguments: given }, of) => {
    if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return []
    const { name } = callee.property
    // A condition of a query.
    if (name === 'where') return [of(callee.object)]
    const other = methods.get(name)
    return other && given.length > 0 ? [`${of(callee.object)}.${other}(${given.map(of).join(', ')})`] : []
  },
}

const regexMutants = ({ pattern, flags }) => {
  const others = []
  if (pattern.startsWith('^')) others.push(pattern.slice(1))
  if (pattern.endsWith('$')) others.push(pattern.slice(0, -1))
  return others.map((other) => `/${other}/${flags}`)
}

/** What is asked, in an `if` or a loop; a loop without an end is no mutant that a test could tell us of. */
export const testMutants = {
  IfStatement: ['true', 'false'],
  WhileStatement: ['false'],
  ForStatement: ['false'],
}
