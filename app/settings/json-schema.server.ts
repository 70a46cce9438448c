import { z } from 'zod/v4';

import { schema } from './schema.server';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The operator's file as a JSON schema (draft 7, which all editors know). The file is merged into the
 * shipped settings, so that nothing is required in it but what each entry of a list needs: lists are
 * replaced. What contradicts something else only the site itself can tell.
 */
export function settingsJsonSchema(): JsonSchema {
  const whole = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Every whole number has this limit, which tells an operator nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const { protocol } = zodSchema._zod.def as { protocol?: RegExp };
      if (protocol) jsonSchema.pattern = protocol.source.replace(/\$$/, '://');
    },
  });
  return partial(whole);
}

/** The schema without required properties and defaults, but in the entries of lists. */
function partial({ required, properties, ...rest }: JsonSchema): JsonSchema {
  // What is not set is the shipped value, whatever the default of an entry would be.
  delete rest.default;
  if (!properties) return rest;
  const inner = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'object' ? partial(property) : property,
  ]);
  return { ...rest, properties: Object.fromEntries(inner) as typeof properties };
}
