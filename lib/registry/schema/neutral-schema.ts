import { isJsonObject, type Json } from '@/lib/shared/json';
import { annotations, fitsInto, liftInto, without } from './lift';
import { mapSchema, ownValue, type SchemaNode } from './schema-nodes';

/** The schema as every provider takes it best; what only some refuse stays. */
export function neutralSchema(schema: Json): Json {
  return mapSchema(schema, neutralNode);
}

/** Takes texts off the nulls of a union: a strict provider refuses them, and every other tool with them. */
export function withoutTextNulls(schema: Json): Json {
  return mapSchema(schema, (node) => {
    if (node.type === 'null' && Array.isArray(node.enum) && !(node.enum as readonly Json[]).every((value) => value === null)) delete node.enum;
    return node;
  });
}

/**
 * One node, its children done.
 *
 * In     a copy that may be changed.
 * Source the cases of kind `schema-sanitize`: six rules, in this order.
 */
export function neutralNode(given: SchemaNode): SchemaNode {
  let node = given;
  dropStrayProperties(node);
  for (const key of ['anyOf', 'oneOf']) dropImpossible(node, key);
  for (const key of ['anyOf', 'oneOf']) node = foldNull(node, key);
  for (const key of ['anyOf', 'oneOf', 'allOf']) node = liftOnly(node, key);
  if (node.type === 'object' && !Object.hasOwn(node, 'properties') && !Object.hasOwn(node, 'additionalProperties')) node.properties = {};
  pruneRequired(node);
  return node;
}

/** `required` keeps only names that the node declares; an empty one goes. */
export function pruneRequired(node: SchemaNode): void {
  if (!Object.hasOwn(node, 'required') || !(ownValue(node, 'type') === 'object' || Object.hasOwn(node, 'properties'))) return;
  const properties = ownValue(node, 'properties');
  const names = Array.isArray(node.required) ? (node.required as readonly Json[]) : [];
  const kept = names.filter((name) => typeof name === 'string' && isJsonObject(properties) && Object.hasOwn(properties, name));
  if (kept.length > 0) node.required = kept;
  else delete node.required;
}

function dropStrayProperties(node: SchemaNode): void {
  const properties = ownValue(node, 'properties');
  if (properties === undefined) return;
  // Some servers write an empty map as an empty list.
  if (!isJsonObject(properties)) delete node.properties;
  else node.properties = Object.fromEntries(Object.entries(properties).filter(([, value]) => isJsonObject(value) || typeof value === 'boolean'));
}

function dropImpossible(node: SchemaNode, key: string): void {
  const members = ownValue(node, key);
  if (!Array.isArray(members)) return;
  const possible = members.filter((member: Json) => !neverMatches(member));
  if (possible.length < members.length) node[key] = possible.length > 0 ? possible : members.slice(-1);
}

function neverMatches(member: Json): boolean {
  if (member === false) return true;
  const not = isJsonObject(member) ? ownValue(member, 'not') : undefined;
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0);
}

function foldNull(node: SchemaNode, key: string): SchemaNode {
  const members = ownValue(node, key);
  if (!Array.isArray(members) || members.length !== 2) return node;
  const others = members.filter((member: Json) => !isNullMember(member));
  if (others.length !== 1) return node;
  const folded = lifted(node, key, others[0] as Json);
  if (folded === undefined) return node;
  folded.nullable = true;
  return folded;
}

function isNullMember(member: Json): boolean {
  return isJsonObject(member) && ownValue(member, 'type') === 'null' && Object.keys(member).every((key) => key === 'type' || annotations.has(key));
}

function liftOnly(node: SchemaNode, key: string): SchemaNode {
  const members = ownValue(node, key);
  if (!Array.isArray(members) || members.length !== 1) return node;
  return lifted(node, key, members[0] as Json) ?? node;
}

/** The node with a member in place of its union; undefined where they contradict each other. */
function lifted(node: SchemaNode, key: string, given: Json): SchemaNode | undefined {
  const member: Json = given === true ? {} : given;
  if (!isJsonObject(member)) return undefined;
  const rest = without(node, key);
  if (!fitsInto(rest, member)) return undefined;
  liftInto(rest, member);
  return rest;
}
