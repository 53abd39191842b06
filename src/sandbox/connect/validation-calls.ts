import { ApiError } from '../http/api-error.ts';
import { answerBodySchema } from '../schemas/connect-requests.ts';
import type { AnsweredCall } from './connect-call.ts';
import { invalidFields, readConnectBody } from './connect-call.ts';
import { NO_SUCH_RECORD, readId } from './member-calls.ts';
import { findOwn } from './policy-holder-calls.ts';
import type { BootstrappedMember } from './realm.ts';
import type { SimulatedValidation } from './validation-machine.ts';
import { credentialsAreValid, isPending, isTerminal, polledState } from './validation-machine.ts';
import type { Task } from './validations.ts';

/** `GET /validate-credentials/{policy_holder_id}/{task_id}`. */
export function readValidation(call: AnsweredCall, member: BootstrappedMember) {
  const { id, validation } = findTask(call, member);
  return {
    id,
    state: polledState(validation.state),
    info: infoOf(validation),
    credentials_are_valid: credentialsAreValid(validation),
    pending: isPending(validation),
    message: validation.message,
  };
}

/** `PUT /validate-credentials/{policy_holder_id}/{task_id}`: exactly one of `method` and `code`. */
export function answerValidation(call: AnsweredCall, member: BootstrappedMember) {
  const task = findTask(call, member);
  const { method, code } = readConnectBody(answerBodySchema, call.request.body);
  if ((method === undefined) === (code === undefined))
    throw invalidFields({ method: ['give exactly one of method and code'] });
  const { validations } = call.service.connect;
  if (method !== undefined) {
    if (
      task.validation.state === 'WAITING_FOR_METHOD_CHOICE' &&
      !task.validation.plan.methods.includes(method)
    )
      throw invalidFields({ method: ['is not one of the methods offered'] });
    if (!validations.answer(task, { kind: 'method', method })) throw refuseUnasked('method');
  } else if (!validations.answer(task, { kind: 'code', code: code ?? '' })) throw refuseUnasked('code');
  return { id: task.id, acknowledged: true };
}

/** The details of a state: the carrier's own labels for methods of sending a code. */
export function infoOf({ state, plan }: SimulatedValidation): { method_list?: string[] } | null {
  if (state === 'WAITING_FOR_METHOD_CHOICE') return { method_list: [...plan.methods] };
  return null;
}

const refuseUnasked = (name: 'method' | 'code'): ApiError =>
  invalidFields({ [name]: ['the validation does not wait for one'] });

function findTask(call: AnsweredCall, member: BootstrappedMember): Task {
  const params = call.request.params as { policy_holder_id: string; task_id: string };
  const connection = findOwn(call, member, readId(params.policy_holder_id));
  const task = call.service.connect.validations.find(params.task_id);
  if (task === undefined || task.connection !== connection) throw new ApiError(404, NO_SUCH_RECORD);
  const isForgotten = call.service.connect.settings.endedValidations === 'forgotten';
  if (isForgotten && isTerminal(task.validation.state)) throw new ApiError(404, NO_SUCH_RECORD);
  return task;
}
