/* What list.h and list.c need of FreeRTOS.h, and nothing else: types of a 32-bit port, no tracing, no
   coverage markers. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t TickType_t;
typedef unsigned long UBaseType_t;
typedef long BaseType_t;

#define pdFALSE ( ( BaseType_t ) 0 )
#define pdTRUE ( ( BaseType_t ) 1 )
#define portMAX_DELAY ( ( TickType_t ) 0xffffffffUL )
#define PRIVILEGED_FUNCTION
#define configUSE_MINI_LIST_ITEM 1
#define configUSE_LIST_DATA_INTEGRITY_CHECK_BYTES 0
#define mtCOVERAGE_TEST_MARKER()
#define mtCOVERAGE_TEST_DELAY()

#define traceENTER_vListInitialise( list )
#define traceRETURN_vListInitialise()
#define traceENTER_vListInitialiseItem( item )
#define traceRETURN_vListInitialiseItem()
#define traceENTER_vListInsert( list, item )
#define traceRETURN_vListInsert()
#define traceENTER_vListInsertEnd( list, item )
#define traceRETURN_vListInsertEnd()
#define traceENTER_uxListRemove( item )
#define traceRETURN_uxListRemove( count )

#endif
