import {
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils';
import { findFaults, isAccepted } from '../../../carrier-form/check-form.ts';

type Fields = Record<string, unknown>;

const toFormErrors = (schema: RJSFSchema, fields: unknown): RJSFValidationError[] =>
  findFaults(schema, fields).map(({ path, keyword, message }) => ({
    name: keyword,
    property: `.${path.join('.')}`,
    message,
    stack: message,
  }));

/**
 * The check of a carrier's form for react-jsonschema-form. Its own validator compiles the schema with `new Function`,
 * which the content security policy forbids, so every submit would fail.
 */
export const carrierValidator: ValidatorType<Fields> = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema) {
    const found = toFormErrors(schema, formData);
    const errors = transformErrors === undefined ? found : transformErrors(found, uiSchema);
    const data = { errors, errorSchema: toErrorSchema<Fields>(errors) };
    if (customValidate === undefined) return data;
    const handler = customValidate(formData, createErrorHandler<Fields>(formData ?? {}), uiSchema);
    return validationDataMerge<Fields>(data, unwrapErrorHandler<Fields>(handler));
  },
  // In lists alone: elsewhere the form has no condition left when it is drawn. Without a verdict both branches are.
  isValid: (schema, formData, rootSchema) =>
    isAccepted({ ...schema, $defs: rootSchema.$defs, definitions: rootSchema.definitions }, formData) ?? true,
  rawValidation: (schema, formData) => ({ errors: toFormErrors(schema, formData) as never[] }),
};
