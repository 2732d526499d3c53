import type { InputFault } from '../../domain/errors.ts'
import { type ListOperation, listOperations } from '../operations.ts'
import { credentialNames, filterNames, parameterNames } from '../reading/list-question.ts'
import type { Behaviour } from './behaviour.ts'

/** A fault for each query parameter that would mean two things in one list. */
export function nameClashes(behaviour: Behaviour): readonly InputFault[] {
  return Object.values(listOperations).flatMap((operation) => {
    const credential = credentialNames(behaviour)
    const names = [...parameterNames(operation, behaviour), ...credential]
    return repeated(names).map((name) => ({
      pointer: `/${whereTo(name, operation, behaviour)}`,
      detail: `the list of ${operation.list} would have two parameters of the name ${name}`,
    }))
  })
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))]
}

/** The member of the behaviour that takes the name for the second time. */
function whereTo(name: string, operation: ListOperation, behaviour: Behaviour): string {
  if (credentialNames(behaviour).includes(name)) return 'auth'
  const filters = [...filterNames(operation, behaviour).values()]
  const isOfFilters = behaviour.pagination === null || repeated(filters).includes(name)
  return isOfFilters ? 'parameters' : 'pagination'
}
