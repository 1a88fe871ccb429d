//! Z3's models, read into ours.

use super::translate::Translator;
use crate::bits::Bits;
use crate::sort::{FloatFormat, Sort};
use crate::term::Term;
use crate::terms::Terms;
use crate::value::{ArrayValue, Model, Value};
use num_bigint::BigUint;
use std::ffi::CStr;
use z3_sys::*;

/// Reads the values of variables from the last model.
pub(super) fn read(
    context: Z3_context,
    solver: Z3_solver,
    translator: &mut Translator,
    terms: &Terms,
    variables: &[Term],
) -> Result<Model, String> {
    // SAFETY: the model is counted until the reader is dropped.
    let model = unsafe {
        let model = Z3_solver_get_model(context, solver).ok_or("Z3 has no model")?;
        Z3_model_inc_ref(context, model);
        model
    };
    let reader = Reader { context, model };
    let mut values = Model::new();
    for &variable in variables {
        let ast = translator.translate(terms, variable)?;
        values.insert(variable, reader.value(ast, terms.sort(variable))?);
    }
    Ok(values)
}

struct Reader {
    context: Z3_context,
    model: Z3_model,
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: counted in `read`.
        unsafe { Z3_model_dec_ref(self.context, self.model) };
    }
}

/// A counted term.
struct Counted(Z3_context, Z3_ast);

impl Counted {
    fn new(context: Z3_context, ast: Option<Z3_ast>) -> Result<Counted, String> {
        let ast = ast.ok_or("Z3 made no term")?;
        // SAFETY: the term was just made.
        unsafe { Z3_inc_ref(context, ast) };
        Ok(Counted(context, ast))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        // SAFETY: counted in `new`.
        unsafe { Z3_dec_ref(self.0, self.1) };
    }
}

impl Reader {
    fn eval(&self, ast: Z3_ast) -> Result<Counted, String> {
        let mut value = None;
        // SAFETY: the term is alive; on success the result is set.
        unsafe {
            let out = (&mut value as *mut Option<Z3_ast>).cast();
            if !Z3_model_eval(self.context, self.model, ast, true, out) {
                return Err("Z3 cannot evaluate a variable".to_string());
            }
        }
        Counted::new(self.context, value)
    }

    fn value(&self, ast: Z3_ast, sort: Sort) -> Result<Value, String> {
        let value = self.eval(ast)?;
        Ok(match sort {
            // SAFETY: the value is alive.
            Sort::Bool => match unsafe { Z3_get_bool_value(self.context, value.1) } {
                Z3_L_TRUE => Value::Bool(true),
                Z3_L_FALSE => Value::Bool(false),
                _ => return Err("a Bool value that is no constant".to_string()),
            },
            Sort::BitVec(width) => Value::BitVec(self.bits(value.1, width)?),
            Sort::Float(format) => self.float(value.1, format)?,
            Sort::Array { index, element } => {
                Value::Array(Box::new(self.array(value.1, index, element)?))
            }
        })
    }

    fn bits(&self, ast: Z3_ast, width: u32) -> Result<Bits, String> {
        // SAFETY: the term is alive; the string is read before the next call.
        unsafe {
            if !Z3_is_numeral_ast(self.context, ast) {
                return Err("a bit-vector value that is no numeral".to_string());
            }
            let text = Z3_get_numeral_string(self.context, ast);
            if text.is_null() {
                return Err("a numeral without text".to_string());
            }
            let text = CStr::from_ptr(text).to_string_lossy();
            let value: BigUint = text.parse().map_err(|_| format!("numeral `{text}`"))?;
            Ok(Bits::from_big(value, width))
        }
    }

    fn float(&self, ast: Z3_ast, format: FloatFormat) -> Result<Value, String> {
        // SAFETY: every term is counted while in use.
        unsafe {
            if Z3_fpa_is_numeral_nan(self.context, ast) {
                return Ok(Value::Float(format, format.canonical_nan()));
            }
            let bits = Counted::new(self.context, Z3_mk_fpa_to_ieee_bv(self.context, ast))?;
            let bits = Counted::new(self.context, Z3_simplify(self.context, bits.1))?;
            let bits = self.bits(bits.1, format.width())?;
            Ok(Value::Float(format, bits.to_u128().unwrap_or(0)))
        }
    }

    /// An array value is a chain of stores over a constant array, or a function graph.
    fn array(&self, ast: Z3_ast, index: u32, element: u32) -> Result<ArrayValue, String> {
        let mut stores = Vec::new();
        let mut ast = Counted::new(self.context, Some(ast))?;
        let mut array = loop {
            // SAFETY: terms are counted while in use.
            unsafe {
                if Z3_is_as_array(self.context, ast.1) {
                    break self.graph(ast.1, index, element)?;
                }
                if Z3_get_ast_kind(self.context, ast.1) != AstKind::App {
                    return Err("an array value of a strange kind".to_string());
                }
                let app = Z3_to_app(self.context, ast.1).ok_or("not an application")?;
                match self.head(app)?.as_str() {
                    "store" => {
                        let argument = |i| Z3_get_app_arg(self.context, app, i);
                        let at = Counted::new(self.context, argument(1))?;
                        let value = Counted::new(self.context, argument(2))?;
                        stores.push((self.bits(at.1, index)?, self.bits(value.1, element)?));
                        let below = Counted::new(self.context, argument(0))?;
                        ast = below;
                    }
                    "const" => {
                        let value = Z3_get_app_arg(self.context, app, 0);
                        let value = Counted::new(self.context, value)?;
                        break ArrayValue::new(index, self.bits(value.1, element)?);
                    }
                    other => return Err(format!("an array value made by `{other}`")),
                }
            }
        };
        for (at, value) in stores.into_iter().rev() {
            array.store(at, value);
        }
        Ok(array)
    }

    /// The name of an application's function. (Names are stable between versions of Z3; the
    /// numbers of its kinds are not.)
    fn head(&self, app: Z3_app) -> Result<String, String> {
        // SAFETY: the application is alive; the string is read before the next call.
        unsafe {
            let declaration = Z3_get_app_decl(self.context, app).ok_or("no declaration")?;
            let name = Z3_get_decl_name(self.context, declaration).ok_or("no name")?;
            let text = Z3_get_symbol_string(self.context, name);
            if text.is_null() {
                return Err("a nameless function".to_string());
            }
            Ok(CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    fn graph(&self, ast: Z3_ast, index: u32, element: u32) -> Result<ArrayValue, String> {
        // SAFETY: the interpretation is counted while it is read, its parts while in use.
        unsafe {
            let c = self.context;
            let function = Z3_get_as_array_func_decl(c, ast).ok_or("no function")?;
            let graph = Z3_model_get_func_interp(c, self.model, function).ok_or("no graph")?;
            Z3_func_interp_inc_ref(c, graph);
            let read = || {
                let default = Counted::new(c, Z3_func_interp_get_else(c, graph))?;
                let mut array = ArrayValue::new(index, self.bits(default.1, element)?);
                for i in 0..Z3_func_interp_get_num_entries(c, graph) {
                    let entry = Z3_func_interp_get_entry(c, graph, i).ok_or("no entry")?;
                    Z3_func_entry_inc_ref(c, entry);
                    let at = Counted::new(c, Z3_func_entry_get_arg(c, entry, 0));
                    let value = Counted::new(c, Z3_func_entry_get_value(c, entry));
                    Z3_func_entry_dec_ref(c, entry);
                    array.store(self.bits(at?.1, index)?, self.bits(value?.1, element)?);
                }
                Ok(array)
            };
            let array = read();
            Z3_func_interp_dec_ref(c, graph);
            array
        }
    }
}
